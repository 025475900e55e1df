// The origin of a pump.fun token. Its curve account, derived from the mint, shows whether it sold out. The creation time and
// the creator are in the creating transaction, the oldest of its metadata account or of its curve; when it left, in the one
// that moved it to a pool, the oldest of an address that does nothing else. The curve's creator field is whatever the real
// creator put there, so it is ignored. Other launch pads' tokens are unknown.
import { address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import { type ChainQueries, type Launch, type LaunchAnswer, NATIVE } from "../chain.ts";
import { answersInTurn, UNKNOWN_LAUNCH } from "../launch-answers.ts";
import { decodeBase58, isAddress } from "./base58.ts";
import { accountsAt, type SignatureEntry, type SolanaCalls } from "./calls.ts";
import { programOf } from "./instructions.ts";
import { SIGNATURES_PAGE_MAX } from "./limits.ts";
import { CURVE, CURVE_MARK } from "./pool-vaults.ts";
import { PUMP_PROGRAM } from "./programs.ts";
import { metadataAddress } from "./tokens.ts";
import { readTransaction, type SolanaTransaction } from "./transaction.ts";

type AskedLaunches = Parameters<NonNullable<ChainQueries["launches"]>>[0];

/** The limit of `getMultipleAccounts`. */
const CURVES_PER_CALL_MAX = 100;
/** Tokens per round whose transactions are looked up, at some three to eight calls each. */
const LOOKED_UP_MAX = 20;
/** Pages of one address; the oldest transaction of a curve with more of them stays unknown. */
const PAGES_MAX = 5;
/** Anyone can mention an address in a transaction before it is used: this many of the oldest are read. */
const OLDEST_READ = 5;

/** Instruction discriminators, and the indexes of the mint and of the user who asked for it. */
const CREATE = new Map([
  ["181ec828051c0777", { mint: 0, user: 7 }],
  ["d6904cec5f8b31b4", { mint: 0, user: 5 }],
]);
const MIGRATE = new Map([
  ["9beae792ec9ea21e", { mint: 2, user: 5 }],
  ["bbcb121fceedfe29", { mint: 2, user: 7 }],
]);

interface Curve {
  address: string;
  isComplete: boolean;
}

export async function readLaunches(
  calls: SolanaCalls,
  asked: AskedLaunches,
  height: number,
): Promise<(LaunchAnswer | null)[]> {
  const curves = await curvesOf(
    calls,
    asked.map(({ token }) => token),
  );
  let lookedUp = 0;
  return answersInTurn(asked, async ({ token, known }, place) => {
    const curve = curves[place];
    if (!curve) return { ...UNKNOWN_LAUNCH, again: "never" };
    if (known.launchedAt !== null && !curve.isComplete) return { ...launchIn(known), again: "pad" };
    return lookedUp++ < LOOKED_UP_MAX ? await launchOf(calls, token, curve, known, height) : null;
  });
}

const launchIn = ({ launchedAt, deployer, graduatedAt }: Launch): Launch => ({
  launchedAt,
  deployer,
  graduatedAt,
});

async function launchOf(
  calls: SolanaCalls,
  mint: string,
  curve: Curve,
  known: Launch,
  height: number,
): Promise<LaunchAnswer> {
  let { launchedAt, deployer, graduatedAt } = known;
  if (launchedAt === null) {
    const from = [await metadataAddress(mint), curve.address];
    const made = await firstDone(calls, from, { mint, kinds: CREATE, height });
    launchedAt = made?.timeMs ?? null;
    deployer = made?.signer ?? null;
  }
  if (curve.isComplete && graduatedAt === null) {
    const authority = await derived("pool-authority", mint);
    const left = await firstDone(calls, [authority], { mint, kinds: MIGRATE, height });
    graduatedAt = left?.timeMs ?? null;
  }
  const isWhole = launchedAt !== null && (!curve.isComplete || graduatedAt !== null);
  const again = !isWhole ? "later" : curve.isComplete ? "never" : "pad";
  return { launchedAt, deployer, graduatedAt, again };
}

/** Null for a token that never had a curve there. */
async function curvesOf(calls: SolanaCalls, tokens: readonly string[]): Promise<(Curve | null)[]> {
  const curves: (Curve | null)[] = [];
  for (let at = 0; at < tokens.length; at += CURVES_PER_CALL_MAX) {
    const some = tokens.slice(at, at + CURVES_PER_CALL_MAX);
    const mints = some.filter((token) => token !== NATIVE && isAddress(token));
    const addresses = await Promise.all(mints.map((mint) => derived("bonding-curve", mint)));
    const accounts = mints.length > 0 ? await accountsAt(calls, addresses) : [];
    const found = new Map<string, Curve>();
    mints.forEach((mint, place) => {
      const data = accounts[place]?.data;
      // Only the program can write to an address derived from it.
      if (data && data.length >= CURVE.bytes && data.toString("hex", 0, 8) === CURVE_MARK)
        found.set(mint, { address: String(addresses[place]), isComplete: data[CURVE.complete] !== 0 });
    });
    curves.push(...some.map((token) => found.get(token) ?? null));
  }
  return curves;
}

async function derived(seed: string, mint: string): Promise<string> {
  const [found] = await getProgramDerivedAddress({
    programAddress: address(PUMP_PROGRAM),
    seeds: [seed, getAddressEncoder().encode(address(mint))],
  });
  return found;
}

interface WantedStep {
  mint: string;
  kinds: ReadonlyMap<string, { mint: number; user: number }>;
  /** Only up to this slot. */
  height: number;
}

/** The first time that the program did this with the mint, from the history of the first of these addresses that shows it. */
async function firstDone(calls: SolanaCalls, addresses: readonly string[], wanted: WantedStep) {
  for (const each of addresses) {
    const oldest = await oldestOf(calls, each, wanted.height);
    const signatures = oldest.map(({ signature }) => signature);
    for (const raw of await calls.transactions(signatures)) {
      const transaction = raw === null ? null : readTransaction(raw);
      const done = transaction && doneIn(transaction, wanted);
      if (done) return done;
    }
  }
  return null;
}

/** Oldest first; empty if the history is too long, or the node would not answer. */
async function oldestOf(calls: SolanaCalls, of: string, height: number): Promise<SignatureEntry[]> {
  let before: string | null = null;
  let entries: SignatureEntry[] = [];
  for (let page = 0; page < PAGES_MAX; page++) {
    const [listed]: (SignatureEntry[] | null)[] = await calls.list([{ address: of, until: null, before }], 0);
    if (!listed) return [];
    entries = [...entries.slice(-OLDEST_READ), ...listed];
    if (listed.length < SIGNATURES_PAGE_MAX) {
      const final = entries.filter(({ failed, slot }) => !failed && slot <= height);
      return final.reverse().slice(0, OLDEST_READ);
    }
    before = listed.at(-1)?.signature ?? null;
  }
  return [];
}

function doneIn(transaction: SolanaTransaction, { mint, kinds }: WantedStep) {
  const { instructions, keys, signers, timeMs, failed } = transaction;
  if (failed) return null;
  for (const instruction of instructions) {
    const { data, accounts } = instruction;
    if (programOf(instruction, keys) !== PUMP_PROGRAM || typeof data !== "string") continue;
    const bytes = decodeBase58(data);
    const kind = bytes && kinds.get(Buffer.from(bytes.subarray(0, 8)).toString("hex"));
    if (!kind || !Array.isArray(accounts)) continue;
    const key = (at: number): unknown =>
      typeof accounts[at] === "number" ? keys[accounts[at]] : accounts[at];
    if (key(kind.mint) !== mint) continue;
    const signer = keys.slice(0, signers).find((each) => each === key(kind.user)) ?? null;
    return { timeMs, signer };
  }
  return null;
}
