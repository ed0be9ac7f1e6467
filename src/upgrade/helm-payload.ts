/**
 * What Helm keeps of a release in a Secret: base64 of JSON that was compressed and written in base64 once more. Whoever made the Secret
 * decides how large it gets, so that its size has an end. Its content is never shown: it holds values and manifests.
 */
import { gunzipSync } from "node:zlib";
import { valueAt } from "../kube/json.ts";

/** Longest payload as the API server gives it; an object of Kubernetes is smaller. */
const longestEncoded = 4 * 1024 * 1024;
/** Longest payload once it is not compressed any more. */
const longestDecoded = 32 * 1024 * 1024;

/** What checks need of a release. */
export interface HelmPayload {
  readonly chart: string;
  readonly revision: number;
  readonly manifest: string;
}

export type DecodedPayload =
  | { readonly is: "decoded"; readonly payload: HelmPayload }
  | { readonly is: "undecodable"; readonly problem: string };

const undecodable = (problem: string): DecodedPayload => ({ is: "undecodable", problem });

/** Decodes `data.release` of a Secret of type `helm.sh/release.v1`. Problems never quote it. */
export function decodeHelmPayload(release: unknown): DecodedPayload {
  if (typeof release !== "string" || release === "") return undecodable("it has no payload");
  if (release.length > longestEncoded) return undecodable(`its payload has more than ${longestEncoded} characters`);
  const compressed = Buffer.from(Buffer.from(release, "base64").toString("latin1"), "base64");
  let text: string;
  try {
    text = gunzipSync(compressed, { maxOutputLength: longestDecoded }).toString("utf8");
  } catch {
    return undecodable("its payload is not compressed as Helm does it, or is too large");
  }
  return parsePayload(text);
}

function parsePayload(text: string): DecodedPayload {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undecodable("its payload is no JSON");
  }
  const chart = valueAt(parsed, "chart", "metadata", "name");
  const revision = valueAt(parsed, "version");
  const manifest = valueAt(parsed, "manifest");
  if (typeof chart !== "string" || typeof revision !== "number") return undecodable("its payload names no chart");
  return {
    is: "decoded",
    payload: {
      chart,
      revision,
      manifest: typeof manifest === "string" ? manifest : "",
    },
  };
}
