// Who a filter's names mean. A handle becomes the userId it belongs to, so a trader who changes it is followed all
// the same, on REST as on a socket. An unknown name is reported: /v2/alerts refuses it, a socket says so in a note
// and starts to match when somebody takes it.
import { fault } from "../../contract/errors.ts";
import type { NamingField } from "../../contract/filters.ts";
import { servingTurn } from "../../kit/turn.ts";
import { handleForm, userForm } from "./facts.ts";
import { canonical, type FeedFilter } from "./filter.ts";
import { bareForm, type WrittenFilter } from "./filter-input.ts";

/** The traders and tokens we know. */
export interface NameDirectory {
  userIdOf(handle: string): Promise<string | null>;
  /** Those of the given ids that are a trader's. */
  knownUserIds(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** An address in its normal form. */
  knowsAddress(address: string): Promise<boolean>;
  /** A symbol in upper case. */
  knowsSymbol(symbol: string): Promise<boolean>;
}

export interface UnknownName {
  param: NamingField;
  value: string;
}

export interface ResolvedFilter {
  filter: FeedFilter;
  unknown: UnknownName[];
}

/** Names looked up in one turn of the event loop: a store in this process answers without leaving the thread. */
const NAMES_A_TURN_MAX = 8;

/** For each name that is looked up: every few of them the others get a turn. */
function createBreather(): () => Promise<void> {
  let names = 0;
  return async () => {
    names += 1;
    if (names % NAMES_A_TURN_MAX === 0) await servingTurn();
  };
}

export async function resolveFilter(
  written: WrittenFilter,
  directory: NameDirectory,
): Promise<ResolvedFilter> {
  const unknown: UnknownName[] = [];
  const breathe = createBreather();
  const traders = await resolveTraders(written.traders, directory, unknown, breathe);
  const known = await directory.knownUserIds(written.userIds.map(bareForm));
  for (const userId of written.userIds.map(bareForm)) {
    if (!known.has(userId)) unknown.push({ param: "userId", value: userId });
  }
  for (const form of written.tokens) {
    const value = bareForm(form);
    const isKnown = form.startsWith("a:") ? directory.knowsAddress(value) : directory.knowsSymbol(value);
    if (!(await isKnown)) unknown.push({ param: "token", value });
    await breathe();
  }
  const { userIds, ...rest } = written;
  return { filter: canonical({ ...rest, traders: combine(traders, userIds) }), unknown };
}

async function resolveTraders(
  forms: readonly string[],
  directory: NameDirectory,
  unknown: UnknownName[],
  breathe: () => Promise<void>,
): Promise<string[]> {
  const ids = forms.filter((form) => form.startsWith("u:")).map(bareForm);
  const known = await directory.knownUserIds(ids);
  const resolved: string[] = [];
  for (const form of forms) {
    const value = bareForm(form);
    // A wallet is matched against the wallet that traded; nothing needs to be known of it.
    if (form.startsWith("w:")) resolved.push(form);
    else if (form.startsWith("u:")) {
      resolved.push(form);
      if (!known.has(value)) unknown.push({ param: "trader", value });
    } else {
      const userId = await directory.userIdOf(value);
      if (userId === null) unknown.push({ param: "trader", value });
      resolved.push(userId === null ? handleForm(value) : userForm(userId));
      await breathe();
    }
  }
  return resolved;
}

/** Both fields name traders, and fields are combined with AND. */
function combine(traders: readonly string[], userIds: readonly string[]): readonly string[] {
  if (userIds.length === 0) return traders;
  if (traders.length === 0) return userIds;
  const both = traders.filter((form) => userIds.includes(form));
  if (both.length > 0) return both;
  throw fault("invalid_parameter", "trader and userId name different traders.", { param: "userId" });
}

/** What a socket's client reads about unknown names; null if all are known. */
export function unknownNote(unknown: readonly UnknownName[]): string | null {
  if (unknown.length === 0) return null;
  const names = unknown.map(({ param, value }) => `${param} "${value}"`).join(", ");
  return `Not known: ${names}. Nothing matches until it is.`;
}
