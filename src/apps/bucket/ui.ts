/**
 * The bucket's web page: a stateless S3 browser in which users log in with their keys, and its way in.
 */
import { Deployment } from "../../contracts/apps.ts";
import { Service } from "../../contracts/core.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import type { AppInput } from "../../sdk/app.ts";
import { gatewayRoute } from "../../sdk/gateway-route.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { issuerAnnotations, isWildcard } from "../../sdk/web-certificate.ts";
import type { Spec } from "./spec.ts";
import { uiImage } from "./versions.ts";

type Input = AppInput<Spec>;

const port = 8080;

/** Name of the Deployment, the Service and the Ingress or HTTPRoute. */
export const uiName = (release: string): string => `${release}-ui`;

/** Secret with the page's certificate, which the issuer makes. */
export const certificateName = (release: string): string => `${uiName(release)}-tls`;

/** DNS name of the page. */
export const uiHost = ({ release, context }: Pick<Input, "release" | "context">): string =>
  `${release}.${context.namespace.host}`;

function deployment(name: string, endpoint: string): Rendered {
  return Deployment(name, {
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: "s3manager",
              image: uiImage,
              env: [
                { name: "ENDPOINT", value: endpoint },
                { name: "SKIP_SSL_VERIFICATION", value: "true" },
              ],
              resources: {
                limits: { cpu: "500m", memory: "512Mi" },
                requests: { cpu: "100m", memory: "128Mi" },
              },
            },
          ],
        },
      },
    },
  });
}

function service(name: string): Rendered {
  return Service(name, {
    spec: {
      type: "ClusterIP",
      ports: [{ port, targetPort: port, protocol: "TCP" }],
      selector: { app: name },
    },
  });
}

function ingress(input: Input): Rendered {
  const { release, context } = input;
  const name = uiName(release);
  const host = uiHost(input);
  return Ingress(name, {
    annotations: {
      "nginx.ingress.kubernetes.io/proxy-body-size": "0",
      "nginx.ingress.kubernetes.io/proxy-read-timeout": "99999",
      "nginx.ingress.kubernetes.io/proxy-send-timeout": "99999",
      ...issuerAnnotations(context),
    },
    spec: {
      ingressClassName: context.namespace.ingress,
      tls: [{ hosts: [host], ...(isWildcard(context) ? {} : { secretName: certificateName(release) }) }],
      rules: [
        {
          host,
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name, port: { number: port } } } }],
          },
        },
      ],
    },
  });
}

function entrance(input: Input): Rendered {
  const name = uiName(input.release);
  const { gateway } = input.context.namespace;
  return gateway === ""
    ? ingress(input)
    : gatewayRoute(name, { host: uiHost(input), service: { name, port }, gateway });
}

/** `endpoint` is where the page finds the buckets: host and port. */
export function ui(input: Input, endpoint: string): readonly Rendered[] {
  const name = uiName(input.release);
  return [deployment(name, endpoint), service(name), entrance(input)];
}
