/**
 * The document that the object storage driver writes for each access: where the bucket is and which keys open it.
 */

import { isRecord, valueAt } from "../kube/json.ts";
import { secretText } from "../kube/secret-text.ts";

/** What a user needs to reach a bucket. */
export interface Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Host and port, without a scheme. */
  readonly endpoint: string;
  /** The same with its scheme. */
  readonly url: string;
  /** Name of the bucket at its backend, not of the application. */
  readonly bucketName: string;
}

/** A Secret as far as it is read here; data is base64. */
interface SecretData {
  readonly data?: Readonly<Record<string, string>>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is not readable, as a document without keys is not: both are waited out.
    return undefined;
  }
}

/** The address without its scheme. */
export function withoutScheme(endpoint: string): string {
  return endpoint.replace(/^https?:\/\//, "");
}

/**
 * Credentials from the key `BucketInfo` of the driver's Secret. Undefined while there are none that can be used: no Secret,
 * no document, or a document that is not complete.
 */
export function credentialsOf(secret: SecretData | undefined): Credentials | undefined {
  const encoded = secret?.data?.["BucketInfo"];
  if (encoded === undefined) return undefined;
  const info = parse(Buffer.from(encoded, "base64").toString("utf8"));
  const keys = valueAt(info, "spec", "secretS3");
  const bucketName = valueAt(info, "spec", "bucketName");
  if (!isRecord(keys)) return undefined;
  const { accessKeyID, accessSecretKey, endpoint } = keys;
  const texts = [accessKeyID, accessSecretKey, endpoint, bucketName];
  const [accessKey = "", secretKey = "", address = "", name = ""] = texts.map((text) =>
    typeof text === "string" ? text : "",
  );
  if (accessKey === "" || secretKey === "" || address === "" || name === "") return undefined;
  return { accessKey, secretKey, endpoint: withoutScheme(address), url: address, bucketName: name };
}

/** Under which keys a Secret shows credentials. */
export type ShownAs = Readonly<Record<"accessKey" | "secretKey" | "address" | "bucketName", string>>;

/**
 * Credentials as a Secret of an application shows them. To go by while the driver's Secret is away, which it is whenever
 * the driver grants anew, as after somebody changed a claim or an access by hand: what was published stays as it is until
 * there are other keys, and nothing that was made of it starts anew for nothing.
 */
export function shownCredentials(secret: SecretData | undefined, shownAs: ShownAs): Credentials | undefined {
  const read = (key: string) => secretText(secret, key);
  const url = read(shownAs.address);
  const found = { accessKey: read(shownAs.accessKey), secretKey: read(shownAs.secretKey), url };
  const bucketName = read(shownAs.bucketName);
  if ([...Object.values(found), bucketName].includes("")) return undefined;
  return { ...found, endpoint: withoutScheme(url), bucketName };
}
