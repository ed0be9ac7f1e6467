/** Images of RabbitMQ. */

/** Version of the specification -> image, with the management plugin that the operators speak to. */
export const images = {
  "v4.2": "rabbitmq:4.2.4-management",
  "v4.1": "rabbitmq:4.1.8-management",
  "v4.0": "rabbitmq:4.0.9-management",
  "v3.13": "rabbitmq:3.13.7-management",
} as const satisfies Record<string, string>;

export const versions = ["v4.2", "v4.1", "v4.0", "v3.13"] as const;
