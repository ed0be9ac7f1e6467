/**
 * Texts of users that third parties' charts write into documents, configurations and commands as they are: more than these
 * forms, and a tenant could have anything applied with the rights of who installs the chart. RE2.
 */

/** A DNS name, or nothing. */
export const hostText = "^([a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?)?$";

/** Name of a StorageClass, or nothing. */
export const classText = "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$";
