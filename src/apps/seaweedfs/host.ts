/** The S3 service as clients reach it. */
import type { Input } from "./spec.ts";

/** Its DNS name. */
export const s3Host = ({ spec, context }: Input): string => spec.host || `s3.${context.namespace.host}`;

/** Secret with its certificate. */
export const s3Certificate = (release: string): string => `${release}-s3-ingress-tls`;
