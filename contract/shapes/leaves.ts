// The leaves of every shape: each has a one-sentence description and an example, so that the documents and the sample
// answers need only the shape itself.
import { z } from "zod";
import { CHAIN_MARK } from "../chain-enum.ts";
import { PLAN_NAMES } from "../plans.ts";

const EXAMPLE_AT = "2026-03-14T15:09:26.535Z";
const EXAMPLE_MS = Date.parse(EXAMPLE_AT);
const EXAMPLE_UUID = "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0";

const leaf = <S extends z.ZodType>(schema: S, description: string, example: unknown): S =>
  schema.meta({ description, examples: [example] });

/** ISO 8601, UTC, always with milliseconds. */
export const time = (description: string, example = EXAMPLE_AT) =>
  leaf(z.iso.datetime({ precision: 3 }), description, example);
/** Epoch milliseconds: alerts and stream frames only. */
export const epochMs = (description: string, example = EXAMPLE_MS) =>
  leaf(z.int().nonnegative(), description, example);
export const uuid = (description: string, example = EXAMPLE_UUID) => leaf(z.guid(), description, example);
export const text = (description: string, example: string) => leaf(z.string(), description, example);
export const flag = (description: string, example = false) => leaf(z.boolean(), description, example);
/** A count of things. */
export const count = (description: string, example = 12) => leaf(z.int().nonnegative(), description, example);
/** Any finite number: money, prices, percentages, amounts. */
export const number = (description: string, example: number) => leaf(z.number(), description, example);
export const usd = (description: string, example = 1840.25) =>
  number(`${description}, in US dollars`, example);
export const price = (description: string, example = 0.00342) =>
  number(`${description}, in US dollars for one token`, example);
export const amount = (description: string, example = 125000.5) =>
  number(`${description}, in whole tokens`, example);
export const percent = (description: string, example = 12.4) => number(`${description}, in percent`, example);
export const oneOf = <const Values extends readonly [string, ...string[]]>(
  description: string,
  values: Values,
  example: Values[number] = values[0],
) => leaf(z.enum(values), description, example);

export const handle = (description = "The trader's name on the platform; it can change.") =>
  text(description, "mayatrades");
export const userId = (description = "The trader's stable id; it survives a rename.") => uuid(description);
export const tradeId = (description = "The position's id; see /v2/trades/{tradeId}.") =>
  uuid(description, "0d5b7f3c-91aa-5e0e-8a44-6f1f6f0a9d21");
export const address = (description: string) =>
  text(description, "So11111111111111111111111111111111111111112");
export const txHash = (description = "The transaction on its chain.") =>
  text(
    description,
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
  );
export const chainId = (description = "The chain's number.") =>
  leaf(z.int().nonnegative(), description, 1399811149);
export const chain = (description = "The chain's name; it always matches the id next to it.") =>
  text(description, "solana").meta({ description, examples: ["solana"], [CHAIN_MARK]: "name" });
export const nextCursor = (description = "Pass it back as cursor for the next page; null at the end.") =>
  leaf(z.string(), description, "c1.25.1773500966535").nullable();
export const complete = (description = "Whether this list is everything there is.") =>
  flag(description, true);
export const truncated = (description = "Whether rows were left out because of a limit.") =>
  flag(description);
/** Null in samples, to match the rest of the sample. */
export const nullInSample = <S extends z.ZodType>(schema: S) =>
  schema.nullable().meta({ ...schema.meta(), examples: [null] });
/** Left out of samples. */
export const notInSample = <S extends z.ZodType>(schema: S) =>
  schema.optional().meta({ ...schema.meta(), examples: [] });

export const note = (description = "Anything a reader should know about this answer; null if nothing.") =>
  nullInSample(text(description, "Upstream serves only part of this list."));
export const plan = (description: string) => leaf(z.enum(PLAN_NAMES), description, "growth");
/** The exact integer that the adjacent float rounds, if digits would be lost. */
export const amountRaw = () =>
  notInSample(
    text("The exact amount in the token's smallest unit, where a float would lose digits.", "125000500000"),
  );
export const decimals = () => notInSample(count("How many digits of amountRaw are decimals.", 6));

/** For answers that are always available on a platform that supports them. */
export const supported = () =>
  notInSample(
    flag(
      "Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free.",
      false,
    ),
  );

/** One price at one moment: the time of that moment. */
export const pricedAt = () =>
  time("The time of the current prices; null where they are as captured.").nullable();

export const available = () =>
  flag(
    "false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token.",
    true,
  );
