// Rosters as files: CSV with a header line (handle,displayName,solana,evm,bio,x,picture; several wallets with ;) or JSON with
// the same rows.
// Every wrong line is reported at once, and a wrong file is rejected as a whole.
import { normaliseAddress, normaliseHandle } from "../../protocol/values.ts";

export interface RosterEntry {
  handle: string;
  displayName: string;
  solana: string[];
  evm: string[];
  /** Missing when the file has no such column: then the old value stays. Null: none. */
  bio?: string | null;
  /** The handle on X, without @. */
  x?: string | null;
  /** An https URL. */
  picture?: string | null;
}

export class BadRoster extends Error {
  override readonly name = "BadRoster";
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

const FAULTS_MAX = 20;
const WALLETS_MAX = 100;
const ENTRIES_MAX = 100_000;
const NAME_LENGTH_MAX = 256;
const BIO_LENGTH_MAX = 1_000;
const URL_LENGTH_MAX = 1_000;
const COLUMNS = ["handle", "displayName", "solana", "evm", "bio", "x", "picture"] as const;

export function parseRoster(text: string): RosterEntry[] {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const rows = /^[[{]/.test(trimmed) ? rowsOfJson(trimmed) : rowsOfCsv(trimmed);
  const faults: string[] = [];
  if (rows.length > ENTRIES_MAX) faults.push(`a roster holds at most ${ENTRIES_MAX} traders`);
  const entries = rows.slice(0, ENTRIES_MAX).map(({ place, fields }) => entryOf(fields, place, faults));
  const handles = new Map<string, string>();
  const wallets = new Map<string, string>();
  entries.forEach((entry, index) => {
    const place = rows[index]?.place ?? "";
    once(handles, entry.handle.toLowerCase(), place, `handle ${entry.handle}`, faults);
    for (const wallet of [...entry.solana, ...entry.evm])
      once(wallets, wallet, place, `wallet ${wallet}`, faults);
  });
  if (faults.length > 0) throw new BadRoster(faults.slice(0, FAULTS_MAX));
  return entries;
}

function once(seen: Map<string, string>, key: string, place: string, what: string, faults: string[]): void {
  const before = seen.get(key);
  if (before !== undefined) faults.push(`${place}: ${what} is already on ${before}`);
  else seen.set(key, place);
}

type RosterFields = Partial<Record<(typeof COLUMNS)[number], unknown>>;

function entryOf(fields: RosterFields, place: string, faults: string[]): RosterEntry {
  const handle = String(fields.handle ?? "")
    .trim()
    .replace(/^@/, "");
  if (normaliseHandle(handle) === null)
    faults.push(`${place}: "${handle.slice(0, 60)}" is not a valid handle`);
  const named = String(fields.displayName ?? "").trim();
  const solana = walletsOf(fields.solana, place, faults, (address) => !address.startsWith("0x"), "Solana");
  const evm = walletsOf(fields.evm, place, faults, (address) => address.startsWith("0x"), "EVM");
  if (solana.length + evm.length === 0) faults.push(`${place}: ${handle || "this trader"} has no wallet`);
  if (solana.length + evm.length > WALLETS_MAX) faults.push(`${place}: more than ${WALLETS_MAX} wallets`);
  const displayName = (named === "" ? handle : named).slice(0, NAME_LENGTH_MAX);
  return { handle, displayName, solana, evm, ...profileOf(fields, place, faults) };
}

type Profile = Pick<RosterEntry, "bio" | "x" | "picture">;

function profileOf(fields: RosterFields, place: string, faults: string[]): Profile {
  const profile: Profile = {};
  const said = (column: "bio" | "x" | "picture") => String(fields[column] ?? "").trim() || null;
  if (fields.bio !== undefined) profile.bio = said("bio")?.slice(0, BIO_LENGTH_MAX) ?? null;
  if (fields.x !== undefined) {
    profile.x = said("x")?.replace(/^(https:\/\/(www\.)?(x|twitter)\.com\/|@)/, "") ?? null;
    if (profile.x !== null && !/^\w{1,15}$/.test(profile.x))
      faults.push(`${place}: x is not a valid X username`);
  }
  if (fields.picture !== undefined) {
    profile.picture = said("picture");
    if (profile.picture !== null && !isPicture(profile.picture))
      faults.push(`${place}: picture is not an https URL`);
  }
  return profile;
}

const isPicture = (text: string): boolean =>
  text.length <= URL_LENGTH_MAX && URL.parse(text)?.protocol === "https:" && !/\s/.test(text);

function walletsOf(
  given: unknown,
  place: string,
  faults: string[],
  fits: (address: string) => boolean,
  family: string,
): string[] {
  const texts = Array.isArray(given) ? given.map(String) : String(given ?? "").split(";");
  const wallets: string[] = [];
  for (const text of texts.map((each) => each.trim()).filter((each) => each !== "")) {
    const address = normaliseAddress(text);
    if (address === null || !fits(address))
      faults.push(`${place}: "${text.slice(0, 60)}" is not a valid ${family} address`);
    else if (!wallets.includes(address)) wallets.push(address);
  }
  return wallets;
}

interface RosterRow {
  place: string;
  fields: RosterFields;
}

function rowsOfJson(text: string): RosterRow[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new BadRoster(["the file is not valid JSON"]);
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { traders?: unknown }).traders;
  if (!Array.isArray(list)) throw new BadRoster(['the file holds neither a list nor {"traders":[…]}']);
  return list.map((fields, index) => ({
    place: `entry ${index + 1}`,
    fields: typeof fields === "object" && fields !== null ? (fields as RosterFields) : {},
  }));
}

function rowsOfCsv(text: string): RosterRow[] {
  const [head, ...lines] = csvLines(text);
  const names = (head ?? []).map((name) => name.trim().toLowerCase());
  const missing = ["handle"].filter((name) => !names.includes(name));
  if (missing.length > 0 || !(names.includes("solana") || names.includes("evm")))
    throw new BadRoster(["the first line must name the columns: handle,displayName,solana,evm"]);
  return lines.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    const fields: RosterFields = {};
    for (const column of COLUMNS) {
      const place = names.indexOf(column.toLowerCase());
      if (place >= 0) fields[column] = cells[place] ?? "";
    }
    return [{ place: `line ${index + 2}`, fields }];
  });
}

/** Quoted cells may hold commas, quotes (doubled) and line breaks. */
function csvLines(text: string): string[][] {
  const lines: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    lines.at(-1)?.push(cell);
    cell = "";
  };
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(index + 1) === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === ",") endCell();
    else if (letter === "\n") {
      endCell();
      lines.push([]);
    } else if (letter !== "\r") cell += letter;
  }
  endCell();
  return lines;
}

export function writeCsv(entries: readonly RosterEntry[]): string {
  const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const hasProfiles = entries.some(({ bio, x, picture }) => Boolean(bio ?? x ?? picture));
  const lines = entries.map(({ handle, displayName, solana, evm, bio, x, picture }) =>
    [
      handle,
      displayName,
      solana.join(";"),
      evm.join(";"),
      ...(hasProfiles ? [bio ?? "", x ?? "", picture ?? ""] : []),
    ]
      .map(quoted)
      .join(","),
  );
  const columns = hasProfiles ? COLUMNS : COLUMNS.slice(0, 4);
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}
