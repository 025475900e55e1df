// Filters as clients write them, in the query of /v2/alerts or of an upgrade, or in a subscribe frame: one value or
// several, each validated, with a message that names the field and what it accepts. Nothing is clamped or ignored.
// Names are only parsed here; resolve-filter.ts looks them up.
import type { z } from "zod";
import type { Chains } from "../../contract/chains.ts";
import { fault } from "../../contract/errors.ts";
import { FILTER_NAMES_MAX, FILTER_VALUE_LENGTH_MAX, FILTER_VALUES_MAX } from "../../contract/filters.ts";
import type { StreamFilter, StreamName, SubscribeFrame } from "../../contract/frames.ts";
import { ALERT_SOURCES, ALERT_TYPES } from "../../contract/shapes/activity.ts";
import { SIDES } from "../../contract/shapes/trades.ts";
import { isUuid } from "../../kit/ids.ts";
import { normaliseAddress, normaliseHandle } from "../../protocol/values.ts";
import { addressForm, handleForm, symbolForm, userForm, walletForm } from "./facts.ts";
import { canonical, EVERYTHING, type FeedFilter } from "./filter.ts";

interface Field {
  /** The list of the filter that it fills. */
  fills: "traders" | "userIds" | "tokens" | "chains" | "types" | "sources";
  singular: "trader" | "userId" | "token" | "chain" | "type" | "source" | "side";
  plural: "traders" | "userIds" | "tokens" | "chains" | "types" | "sources" | "sides";
}

const TRADER: Field = { fills: "traders", singular: "trader", plural: "traders" };
const USER_ID: Field = { fills: "userIds", singular: "userId", plural: "userIds" };
const TOKEN: Field = { fills: "tokens", singular: "token", plural: "tokens" };
const CHAIN: Field = { fills: "chains", singular: "chain", plural: "chains" };
const TYPE: Field = { fills: "types", singular: "type", plural: "types" };
const SOURCE: Field = { fills: "sources", singular: "source", plural: "sources" };
/** On trades an event has a side, and nothing else by way of a type. */
const SIDE: Field = { fills: "types", singular: "side", plural: "sides" };

const FIELDS: Record<StreamName, readonly Field[]> = {
  alerts: [TRADER, USER_ID, CHAIN, TYPE, TOKEN, SOURCE],
  trades: [TRADER, USER_ID, CHAIN, TOKEN, SIDE],
};

/** Each of their values is looked up. */
const NAMING: ReadonlySet<Field> = new Set([TRADER, USER_ID, TOKEN]);

/** A filter as it was written: names are not looked up yet. */
export interface WrittenFilter extends FeedFilter {
  /** userId as a separate field; combined with `traders` by AND. */
  userIds: readonly string[];
}

const refuse = (param: string, sentence: string, allowed?: readonly string[]) =>
  fault("invalid_parameter", sentence, { param, ...(allowed ? { allowed: [...allowed] } : {}) });

/** The filters among a query, which the contract's schema has read. */
export function filterFromQuery(
  stream: StreamName,
  query: Partial<Record<Field["singular"], string | undefined>> & {
    minUsd?: number | undefined;
    finality?: boolean | undefined;
  },
  chains: Chains,
): WrittenFilter {
  const read = readFilter(stream, query.minUsd, chains, ({ singular }) => query[singular]?.split(",") ?? []);
  return query.finality ? { ...read, finality: true } : read;
}

export function filterFromFrame(
  stream: StreamName,
  frame: z.infer<typeof SubscribeFrame>,
  chains: Chains,
): WrittenFilter {
  const known = FIELDS[stream].flatMap((field): string[] => [field.singular, field.plural]);
  const stranger = Object.keys(frame).find((name) => !["action", "minUsd", ...known].includes(name));
  if (stranger !== undefined) throw refuse(stranger, `${stranger} is not a filter of this stream.`);
  return readFilter(stream, frame.minUsd, chains, ({ singular, plural }) =>
    [frame[singular] ?? [], frame[plural] ?? []].flat().map(String),
  );
}

function readFilter(
  stream: StreamName,
  minUsd: number | undefined,
  chains: Chains,
  textsOf: (field: Field) => readonly string[],
): WrittenFilter {
  const lists: Record<Field["fills"], (string | number)[]> = {
    traders: [],
    userIds: [],
    tokens: [],
    chains: [],
    types: [],
    sources: [],
  };
  let names = 0;
  for (const field of FIELDS[stream]) {
    const texts = textsOf(field);
    if (texts.length > FILTER_VALUES_MAX) {
      throw refuse(field.singular, `${field.singular} takes at most ${FILTER_VALUES_MAX} values.`);
    }
    if (NAMING.has(field)) names += texts.length;
    if (names > FILTER_NAMES_MAX)
      throw refuse(field.singular, `Traders, userIds and tokens are at most ${FILTER_NAMES_MAX} together.`);
    lists[field.fills] = texts.map((text) => readValue(stream, field, text.trim(), chains));
  }
  const filter = { ...EVERYTHING, ...lists, minUsd: minUsd ?? 0 } as WrittenFilter;
  return {
    ...canonical({
      ...filter,
      types: unlessAll(filter.types, stream === "alerts" ? ALERT_TYPES : SIDES),
      sources: unlessAll(filter.sources, ALERT_SOURCES),
    }),
    userIds: [...new Set(filter.userIds)].sort(),
  };
}

/** Naming every possible value filters nothing, and is the same filter as naming none. */
function unlessAll(given: readonly string[], every: readonly string[]): readonly string[] {
  return every.every((one) => given.includes(one)) ? [] : given;
}

function readValue(stream: StreamName, field: Field, text: string, chains: Chains): string | number {
  const name = field.singular;
  if (text === "" || text.length > FILTER_VALUE_LENGTH_MAX) {
    throw refuse(name, `Each ${name} has 1 to ${FILTER_VALUE_LENGTH_MAX} characters.`);
  }
  if (field === TRADER) return traderForm(stream, text);
  if (field === USER_ID) {
    if (isUuid(text)) return userForm(text);
    throw refuse(name, "userId is a UUID.");
  }
  if (field === TOKEN) {
    const address = normaliseAddress(text);
    return address === null ? symbolForm(text.replace(/^\$(?=.)/, "")) : addressForm(address);
  }
  if (field === CHAIN) {
    const chain = chains.find(text);
    if (chain) return chain.id;
    const allowed = chains.list.map((one) => one.name);
    throw refuse(name, `chain is one of ${allowed.join(", ")}, or its number.`, allowed);
  }
  const allowed: readonly string[] = field === TYPE ? ALERT_TYPES : field === SOURCE ? ALERT_SOURCES : SIDES;
  const value = text.toLowerCase();
  if (allowed.includes(value)) return value;
  throw refuse(name, `${name} is one of ${allowed.join(", ")}.`, allowed);
}

function traderForm(stream: StreamName, text: string): string {
  if (isUuid(text)) return userForm(text);
  const wallet = stream === "trades" ? normaliseAddress(text) : null;
  if (wallet !== null) return walletForm(wallet);
  const handle = normaliseHandle(text);
  if (handle !== null) return handleForm(handle);
  throw refuse("trader", `trader is a handle${stream === "trades" ? ", a wallet" : ""} or a userId.`);
}

/** A form without its prefix letter. */
export const bareForm = (form: string): string => form.slice(form.indexOf(":") + 1);

/** The filter as it was understood, for the client. */
export function describeFilter(stream: StreamName, filter: WrittenFilter, chains: Chains): StreamFilter {
  const given = FIELDS[stream].flatMap((field): [string, readonly string[]][] => {
    const values = valuesOf(filter, field, chains);
    return values.length === 0 ? [] : [[field.plural, values]];
  });
  return { ...Object.fromEntries(given), ...(filter.minUsd === 0 ? {} : { minUsd: filter.minUsd }) };
}

/** The same under the names of the query, several values of one separated by commas. */
export function flatFilter(
  stream: StreamName,
  filter: WrittenFilter,
  chains: Chains,
): Record<string, string | number> {
  const given = FIELDS[stream].flatMap((field): [string, string][] => {
    const values = valuesOf(filter, field, chains);
    return values.length === 0 ? [] : [[field.singular, values.join(",")]];
  });
  return { ...Object.fromEntries(given), ...(filter.minUsd === 0 ? {} : { minUsd: filter.minUsd }) };
}

function valuesOf(filter: WrittenFilter, { fills }: Field, chains: Chains): readonly string[] {
  if (fills === "chains") return filter.chains.map((id) => chains.nameOf(id));
  return fills === "types" || fills === "sources" ? filter[fills] : filter[fills].map(bareForm);
}
