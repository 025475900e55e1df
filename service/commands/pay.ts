// `crowdtape pay test PAYMENT_ID`: pays a payment on the built-in test chain, so that the whole journey can be walked
// without a coin.
import { Fault } from "../../contract/errors.ts";
import { payTest } from "../billing/stablecoin/test-chain.ts";
import { readArguments } from "./arguments.ts";
import { atTheDesk } from "./operator.ts";
import { CommandRefused } from "./run.ts";

export async function pay(argv: string[]): Promise<void> {
  const { values, positionals } = readArguments(argv, { amount: { type: "string" } }, true);
  const [verb, paymentId] = positionals;
  if (verb !== "test" || !paymentId || positionals.length > 2)
    throw new CommandRefused("Say: crowdtape pay test PAYMENT_ID [--amount USD]");
  const amount = values.amount === undefined ? {} : { amount: Number(values.amount) };
  await atTheDesk(async ({ store, kit }) => {
    const paid = await payTest({ database: store.database, clock: kit.clock }, paymentId, amount).catch(
      (problem) => {
        throw problem instanceof Fault ? new CommandRefused(problem.message) : problem;
      },
    );
    console.log(
      `Paid on the test chain, signature ${paid.signature}. It is credited once the chain has finalized it.`,
    );
  });
}
