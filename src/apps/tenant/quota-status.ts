/**
 * Schema of `status.quota`, which the quota controller keeps (docs/quota.md).
 */
import Type from "typebox";

const amounts = (description: string) => Type.Optional(Type.Record(Type.String(), Type.String(), { description }));

const figures = {
  budget: amounts("What it may have at most, by resource; absent for a tenant without a budget of its own."),
  allocated: amounts("Of that, what tenants below have as budgets of their own."),
  used: amounts("What is in use: of the budget itself; without one, by the tenant and everything below it."),
  left: amounts("What is neither allocated nor in use."),
};

/** See src/tenancy/quota/tenant-status.ts. */
export const QuotaStatus = Type.Object(
  {
    ...figures,
    from: amounts(
      "Where the tenant draws from a budget above: namespace of the tenant whose budget it is, by resource.",
    ),
    summary: amounts("What is taken and what there is, as one text."),
    children: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), ...figures }), {
        description: "The same of the first 50 tenants ordered in this one.",
      }),
    ),
  },
  { description: "Budgets: what the tenant may have, has given to tenants below, uses and has left." },
);
