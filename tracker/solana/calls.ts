// The reader's queries to a Solana node, with answers validated before use. Calls that must be consistent with each other go
// out in one batch, so one provider answers them all.
import type { RpcCall, RpcReply } from "../rpc/provider.ts";
import { SIGNATURES_PAGE_MAX } from "./limits.ts";
import { TOKEN_PROGRAMS } from "./programs.ts";

export interface SolanaRpc {
  /** Each provider separately, if there are several. */
  each?(): readonly SolanaRpc[];
  batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]>;
}

export type Level = "confirmed" | "finalized";

/** One entry of an address's history. */
export interface SignatureEntry {
  signature: string;
  slot: number;
  failed: boolean;
  /** Null when the node does not know the block's time. */
  timeMs: number | null;
}

export interface SlotHeader {
  hash: string;
  parentHash: string;
  parentSlot: number;
  timeMs: number | null;
  /** In block order; empty unless requested. */
  signatures: string[];
}

/** Why there is no block: its slot was skipped, or lost a fork, or this node never had it; or the node is not there yet. */
export type NoBlock = "skipped" | "not yet";

export interface ListRequest {
  address: string;
  until: string | null;
  before: string | null;
}

export class UnusableAnswer extends Error {}

/** Where a token account stores its amount. */
const TOKEN_AMOUNT = { offset: 64, length: 8 };
const SKIPPED_CODES = new Set([-32007, -32009]);

export type SolanaCalls = ReturnType<typeof createSolanaCalls>;

/** `given`: returns a transaction that was streamed and need not be fetched; null: it must be. */
export function createSolanaCalls(
  rpc: SolanaRpc,
  signal?: AbortSignal,
  given: (signature: string) => unknown = () => null,
) {
  async function heads(): Promise<{ confirmed: number; final: number }> {
    const [final, confirmed] = await results([
      { method: "getSlot", params: [{ commitment: "finalized" }] },
      { method: "getSlot", params: [{ commitment: "confirmed" }] },
    ]);
    return { final: slotOf(final), confirmed: Math.max(slotOf(final), slotOf(confirmed)) };
  }

  /** The oldest block the node still has; null: it would not answer. */
  async function firstBlock(): Promise<number | null> {
    const [reply] = await batch([{ method: "getFirstAvailableBlock", params: [] }]);
    return !reply || "refused" in reply ? null : slotOf(reply.result);
  }

  /** Newest first, at most one page each. Null: this node is behind `atLeast`, or would not answer. */
  async function list(requests: ListRequest[], atLeast: number): Promise<(SignatureEntry[] | null)[]> {
    const replies = await batch(
      requests.map(({ address, until, before }) => ({
        method: "getSignaturesForAddress",
        params: [
          address,
          {
            commitment: "confirmed",
            limit: SIGNATURES_PAGE_MAX,
            minContextSlot: atLeast,
            ...(until !== null && { until }),
            ...(before !== null && { before }),
          },
        ],
      })),
    );
    return replies.map((reply) => ("refused" in reply ? null : listOf(reply.result).map(entryOf)));
  }

  /** Raw amounts in each wallet's token accounts, by account, with their slot; null: the node would not answer. */
  async function held(wallets: string[]): Promise<({ slot: number; amounts: Map<string, bigint> } | null)[]> {
    const config = { commitment: "confirmed", encoding: "base64", dataSlice: TOKEN_AMOUNT };
    const programs = [...TOKEN_PROGRAMS];
    const calls = wallets.flatMap((wallet) =>
      programs.map((programId) => ({
        method: "getTokenAccountsByOwner",
        params: [wallet, { programId }, config],
      })),
    );
    const replies = await batch(calls);
    return wallets.map((_wallet, at) => {
      const own = replies.slice(at * programs.length, (at + 1) * programs.length);
      if (own.some((reply) => "refused" in reply)) return null;
      const answers = own.map((reply) => recordOf(resultOf(reply)));
      const slots = answers.map(({ context }) => slotOf(recordOf(context).slot));
      const amounts = new Map(answers.flatMap(({ value }) => listOf(value).map(amountOf)));
      return { slot: Math.max(...slots), amounts };
    });
  }

  /** The program that owns an account; null where it does not exist. */
  async function ownerOf(account: string): Promise<string | null> {
    const config = { commitment: "confirmed", encoding: "base64", dataSlice: { offset: 0, length: 0 } };
    const [result] = await results([{ method: "getAccountInfo", params: [account, config] }]);
    const { value } = recordOf(result);
    const owner = (value as { owner?: unknown } | null)?.owner;
    return typeof owner === "string" ? owner : null;
  }

  /** Null where the node has no such transaction (yet), or would not answer. */
  async function transactions(signatures: string[]): Promise<unknown[]> {
    const config = { commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: 0 };
    const found = signatures.map((signature) => given(signature));
    const asked = signatures.filter((_, at) => found[at] === null);
    const replies = await batch(
      asked.map((signature) => ({ method: "getTransaction", params: [signature, config] })),
    );
    const answers = replies.map((reply) => ("refused" in reply ? null : reply.result));
    return found.map((each) => each ?? answers.shift() ?? null);
  }

  async function headers(
    slots: number[],
    level: Level,
    details: "signatures" | "none",
  ): Promise<(SlotHeader | NoBlock)[]> {
    const config = { commitment: level, transactionDetails: details, rewards: false };
    const calls = slots.map((slot) => ({
      method: "getBlock",
      params: [slot, { ...config, maxSupportedTransactionVersion: 0 }],
    }));
    return (await batch(calls)).map((reply) => noBlock(reply) ?? headerOf(resultOf(reply)));
  }

  /** Slots with a block, ascending, and how far this node knows them: one that is behind omits the newest. */
  async function slots(from: number, to: number, level: Level): Promise<{ slots: number[]; reach: number }> {
    const [head, slots] = await results([
      { method: "getSlot", params: [{ commitment: level }] },
      { method: "getBlocks", params: [from, to, { commitment: level }] },
    ]);
    return { slots: listOf(slots).map(slotOf), reach: Math.min(to, slotOf(head)) };
  }

  /**
   * Whether the chain went past each of these slots: the next block names a parent before it. A node omitting a slot proves
   * less, because it also omits what it has pruned or never had.
   */
  async function passedOver(slots: number[], level: Level): Promise<boolean[]> {
    const replies = await batch(
      slots.map((slot) => ({
        method: "getBlocksWithLimit",
        params: [slot + 1, 1, { commitment: level }],
      })),
    );
    const followers = replies.map((reply) => ("refused" in reply ? [] : listOf(reply.result).map(slotOf)));
    const next = await headers(followers.flat(), level, "none");
    return slots.map((slot, at) => {
      const header = followers[at]?.length === 0 ? undefined : next.shift();
      return typeof header === "object" && header.parentSlot < slot;
    });
  }

  /** Blocks with the accounts and balances of every transaction, but no instructions. */
  async function blocks(slots: number[]): Promise<(unknown | NoBlock)[]> {
    const config = { commitment: "confirmed", transactionDetails: "accounts", rewards: false };
    const calls = slots.map((slot) => ({
      method: "getBlock",
      params: [slot, { ...config, encoding: "json", maxSupportedTransactionVersion: 0 }],
    }));
    return (await batch(calls)).map((reply) => noBlock(reply) ?? resultOf(reply));
  }

  /** Results of calls that a healthy node does not refuse. */
  async function results(calls: RpcCall[]): Promise<unknown[]> {
    return (await batch(calls)).map(resultOf);
  }

  /** Null where the node refused. */
  async function replies(calls: RpcCall[]): Promise<unknown[]> {
    return (await batch(calls)).map((reply) => ("refused" in reply ? null : reply.result));
  }

  async function batch(calls: RpcCall[]): Promise<RpcReply[]> {
    return calls.length === 0 ? [] : rpc.batch(calls, signal);
  }

  return {
    heads,
    firstBlock,
    list,
    held,
    ownerOf,
    transactions,
    headers,
    slots,
    passedOver,
    blocks,
    results,
    replies,
  };
}

/** Raw amounts in an owner's accounts of one token, by account. */
export async function accountsOf(
  { results }: Pick<SolanaCalls, "results">,
  owner: string,
  mint: string,
): Promise<Map<string, bigint>> {
  const config = { commitment: "finalized", encoding: "base64", dataSlice: TOKEN_AMOUNT };
  const [result] = await results([{ method: "getTokenAccountsByOwner", params: [owner, { mint }, config] }]);
  return new Map(listOf(recordOf(result).value).map(amountOf));
}

/** As of one final slot; null for missing accounts. */
export async function accountsAt(
  { results }: Pick<SolanaCalls, "results">,
  keys: string[],
): Promise<({ data: Buffer; lamports: bigint; owner: string } | null)[]> {
  const config = { commitment: "finalized", encoding: "base64" };
  const [result] = await results([{ method: "getMultipleAccounts", params: [keys, config] }]);
  return listOf(recordOf(result).value).map((value) => {
    if (value === null) return null;
    const { data, lamports, owner } = recordOf(value);
    const [encoded] = listOf(data);
    return {
      data: Buffer.from(String(encoded), "base64"),
      lamports: BigInt(slotOf(lamports)),
      owner: String(owner),
    };
  });
}

function resultOf(reply: RpcReply): unknown {
  if ("refused" in reply) throw reply.refused;
  return reply.result;
}

function noBlock(reply: RpcReply): NoBlock | null {
  if ("refused" in reply) return SKIPPED_CODES.has(reply.refused.code) ? "skipped" : "not yet";
  return reply.result === null ? "not yet" : null;
}

function amountOf(value: unknown): [string, bigint] {
  const { pubkey, account } = recordOf(value);
  const [encoded] = listOf(recordOf(account).data);
  const data = Buffer.from(String(encoded), "base64");
  if (typeof pubkey !== "string" || data.length !== TOKEN_AMOUNT.length)
    throw new UnusableAnswer("a token account without its amount");
  return [pubkey, data.readBigUInt64LE()];
}

function entryOf(value: unknown): SignatureEntry {
  const { signature, slot, err, blockTime } = recordOf(value);
  if (typeof signature !== "string") throw new UnusableAnswer("a history entry without a signature");
  const failed = err !== null && err !== undefined;
  return { signature, slot: slotOf(slot), failed, timeMs: timeOf(blockTime) };
}

export function headerOf(value: unknown): SlotHeader {
  const { blockhash, previousBlockhash, parentSlot, blockTime, signatures } = recordOf(value);
  if (typeof blockhash !== "string" || typeof previousBlockhash !== "string")
    throw new UnusableAnswer("a block without its hashes");
  const named = listOf(signatures ?? []).filter((each) => typeof each === "string");
  return {
    hash: blockhash,
    parentHash: previousBlockhash,
    parentSlot: slotOf(parentSlot),
    timeMs: timeOf(blockTime),
    signatures: named,
  };
}

function timeOf(seconds: unknown): number | null {
  return typeof seconds === "number" ? seconds * 1_000 : null;
}

export function slotOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new UnusableAnswer("a slot that is not a number");
  return Number(value);
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new UnusableAnswer("an answer that is not a list");
  return value;
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null)
    throw new UnusableAnswer("an answer that is not an object");
  return value as Record<string, unknown>;
}
