/** Names that several of Harbor's parts must agree on. */
import type { Input } from "./spec.ts";

/** Secret with what the tenant reads: the administrator's password and the address; and Redis's password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

/** Claim on the bucket with the images, and the access to it. */
export const bucketName = (release: string): string => `${release}-registry`;
/** Secret in which the driver leaves the bucket's keys. */
export const driverSecret = (release: string): string => `${release}-registry-bucket`;
/** Secret with the same, as the registry reads it. */
export const registrySecret = (release: string): string => `${release}-registry-s3`;

export const databaseName = (release: string): string => `${release}-db`;
export const redisName = (release: string): string => `${release}-redis`;

/** Secret of the chart's with the pair of keys by which the registry trusts Harbor's tokens. */
export const tokenSecret = (release: string): string => `${release}-core`;

/** The scanner's StatefulSet, its claim template and its claim; and the claim of the background jobs. */
export const scanner = (release: string): string => `${release}-trivy`;
export const scannerTemplate = "data";
export const scannerClaim = (release: string): string => `${scannerTemplate}-${scanner(release)}-0`;
export const jobsClaim = (release: string): string => `${release}-jobservice`;

/** Ingress, and Secret with its certificate. */
export const ingressName = (release: string): string => `${release}-ingress`;
export const certificateName = (release: string): string => `${ingressName(release)}-tls`;

/** DNS name of the registry. */
export const hostOf = ({ release, spec, context }: Pick<Input, "release" | "spec" | "context">): string =>
  spec.host || `${release}.${context.namespace.host}`;

/**
 * The longest release from which all names can be made: pods of the operator's StatefulSet `rfr-<release>-redis` need one of
 * at most 52 characters.
 */
export const longestRelease = 52 - "rfr--redis".length;
