// For tests: the JSON-RPC methods of a Solana node over the test ledger, with the answers and error codes of a real one.
import { getTransactionDecoder } from "@solana/kit";
import { encodeBase58 } from "../../../tracker/solana/base58.ts";
import { TOKEN_PROGRAMS } from "../../../tracker/solana/programs.ts";
import type { Landed } from "./landed.ts";
import type { Block, Level, TestLedger } from "./ledger.ts";

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

interface Config {
  commitment?: Level;
  before?: string;
  until?: string;
  limit?: number;
  transactionDetails?: "full" | "accounts" | "signatures" | "none";
  maxSupportedTransactionVersion?: number;
  minContextSlot?: number;
  programId?: string;
  mint?: string;
  dataSlice?: { offset: number; length: number };
}

const SIGNATURES_MAX = 1_000;
const STATUSES_MAX = 256;
const ACCOUNTS_MAX = 100;
/** Slots that one `getBlocks` scans. */
const SLOTS_MAX = 500_000;
const MINT_SUPPLY_OFFSET = 36;
const MINT_DECIMALS_OFFSET = 44;

/** One node's view of the ledger: it may be some blocks behind the others, and has nothing from before its start. */
export class RpcView {
  behind = 0;
  beganAtSlot = 0;
  constructor(readonly ledger: TestLedger) {}

  blocks(level: Level = "finalized"): Block[] {
    const blocks = this.ledger.at(level).filter(({ slot }) => slot >= this.beganAtSlot);
    return this.behind === 0 ? blocks : blocks.slice(0, Math.max(1, blocks.length - this.behind));
  }

  head(level?: Level): Block {
    return this.blocks(level).at(-1) as Block;
  }

  answer(method: string, params: unknown[]): unknown {
    const config = (params.findLast((each) => typeof each === "object" && !Array.isArray(each)) ??
      {}) as Config;
    const handle = METHODS[method];
    if (!handle) throw new RpcError(-32601, "Method not found");
    if ((config.minContextSlot ?? 0) > this.head("processed").slot)
      throw new RpcError(-32016, "Minimum context slot has not been reached");
    return handle(this, params, config);
  }

  withContext(value: unknown, level?: Level): unknown {
    return { context: { slot: this.head(level).slot, apiVersion: "3.0.0" }, value };
  }
}

type Method = (view: RpcView, params: unknown[], config: Config) => unknown;

const METHODS: Record<string, Method> = {
  getHealth: () => "ok",
  getVersion: () => ({ "solana-core": "3.0.0", "feature-set": 1 }),
  getGenesisHash: (view) => view.ledger.blocks[0]?.previousBlockhash,
  getSlot: (view, _params, { commitment }) => view.head(commitment).slot,
  getFirstAvailableBlock: (view) => view.blocks("confirmed")[0]?.slot ?? 0,
  getBlockTime: (view, [slot]) => view.blocks("confirmed").find((block) => block.slot === slot)?.time ?? null,
  getBlockHeight: (view, _params, { commitment }) => view.blocks(commitment).length,
  getBlocks: (view, [from, to], { commitment }) => {
    const end = typeof to === "number" ? to : view.head(commitment).slot;
    if (end - Number(from) > SLOTS_MAX) throw new RpcError(-32602, `Slot range too large; max ${SLOTS_MAX}`);
    return slotsFrom(view, from, commitment).filter((slot) => slot <= end);
  },
  getBlocksWithLimit: (view, [from, limit], { commitment }) =>
    slotsFrom(view, from, commitment).slice(0, Number(limit)),
  getBlock,
  getTransaction,
  getSignaturesForAddress,
  getSignatureStatuses,
  getLatestBlockhash: (view, _params, { commitment }) =>
    view.withContext({ blockhash: view.ledger.vm.latestBlockhash(), lastValidBlockHeight: 1e9 }, commitment),
  getBalance: (view, [key], config) =>
    view.withContext(accountOf(view, String(key), config)?.lamports ?? 0, config.commitment),
  getAccountInfo: (view, [key], config) =>
    view.withContext(accountOf(view, String(key), config), config.commitment),
  getMultipleAccounts: (view, [keys], config) => {
    const asked = keys as string[];
    if (asked.length > ACCOUNTS_MAX)
      throw new RpcError(-32602, `Too many inputs provided; max ${ACCOUNTS_MAX}`);
    return view.withContext(
      asked.map((key) => accountOf(view, key, config)),
      config.commitment,
    );
  },
  getTokenSupply,
  getTokenAccountsByOwner,
  sendTransaction: (view, [encoded]) =>
    view.ledger.send(getTransactionDecoder().decode(Buffer.from(String(encoded), "base64"))).signature,
};

const slotsFrom = (view: RpcView, from: unknown, level?: Level): number[] =>
  view
    .blocks(level)
    .map(({ slot }) => slot)
    .filter((slot) => slot >= Number(from));

function getBlock(view: RpcView, [slot]: unknown[], config: Config): unknown {
  if (config.commitment === "processed")
    throw new RpcError(-32602, "Method does not support commitment below `confirmed`");
  const blocks = view.blocks(config.commitment);
  const block = blocks.find((each) => each.slot === slot);
  if (Number(slot) > (blocks.at(-1)?.slot ?? 0))
    throw new RpcError(-32004, `Block not available for slot ${slot}`);
  if (!block)
    throw new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
  const { blockhash, previousBlockhash, parentSlot, time, transactions } = block;
  const header = {
    blockhash,
    previousBlockhash,
    parentSlot,
    blockTime: time,
    blockHeight: blocks.indexOf(block),
  };
  const details = config.transactionDetails ?? "full";
  if (details === "none") return header;
  if (details === "signatures")
    return { ...header, signatures: transactions.map(({ signature }) => signature) };
  requireVersions(config);
  return { ...header, transactions: transactions.map(details === "full" ? fullOf : accountsOf) };
}

function fullOf({ signature, message, meta }: Landed): unknown {
  return { meta, version: 0, transaction: { signatures: [signature], message } };
}

function accountsOf({ signature, message, meta }: Landed): unknown {
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta;
  const signers = (message.header as { numRequiredSignatures: number }).numRequiredSignatures;
  const keys = message.accountKeys as string[];
  const accountKeys = keys.map((pubkey, at) => ({
    pubkey,
    signer: at < signers,
    source: "transaction",
    writable: true,
  }));
  return {
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    version: 0,
    transaction: { signatures: [signature], accountKeys },
  };
}

function getTransaction(view: RpcView, [signature]: unknown[], config: Config): unknown {
  const block = view
    .blocks(config.commitment)
    .find(({ transactions }) => transactions.some((each) => each.signature === signature));
  const landed = block?.transactions.find((each) => each.signature === signature);
  if (!block || !landed) return null;
  requireVersions(config);
  return { slot: block.slot, blockTime: block.time, ...(fullOf(landed) as object) };
}

function requireVersions({ maxSupportedTransactionVersion }: Config): void {
  if (maxSupportedTransactionVersion === undefined)
    throw new RpcError(-32015, "Transaction version (0) is not supported by the requesting client.");
}

function getSignaturesForAddress(view: RpcView, [key]: unknown[], config: Config): unknown {
  const limit = config.limit ?? SIGNATURES_MAX;
  if (limit < 1 || limit > SIGNATURES_MAX) throw new RpcError(-32602, `Invalid limit; max ${SIGNATURES_MAX}`);
  const final = view.head("finalized").slot;
  const entries = view
    .blocks(config.commitment)
    .flatMap((block) => block.transactions.map((landed) => ({ block, landed })))
    .filter(({ landed }) => landed.keys.includes(String(key)))
    .reverse();
  const place = (signature?: string) => entries.findIndex(({ landed }) => landed.signature === signature);
  const from = config.before === undefined ? 0 : place(config.before) + 1;
  const end = config.until === undefined || place(config.until) < 0 ? entries.length : place(config.until);
  return entries.slice(from, Math.max(from, Math.min(end, from + limit))).map(({ block, landed }) => ({
    signature: landed.signature,
    slot: block.slot,
    blockTime: block.time,
    err: landed.meta.err,
    memo: null,
    confirmationStatus: block.slot <= final ? "finalized" : "confirmed",
  }));
}

function getSignatureStatuses(view: RpcView, [signatures]: unknown[]): unknown {
  const asked = signatures as string[];
  if (asked.length > STATUSES_MAX)
    throw new RpcError(-32602, `Too many inputs provided; max ${STATUSES_MAX}`);
  const [final, confirmed] = [view.head("finalized").slot, view.head("confirmed").slot];
  const statuses = asked.map((signature) => {
    for (const block of view.blocks("processed"))
      for (const landed of block.transactions)
        if (landed.signature === signature) {
          const { slot } = block;
          const confirmationStatus =
            slot <= final ? "finalized" : slot <= confirmed ? "confirmed" : "processed";
          return {
            slot,
            confirmations: null,
            err: landed.meta.err,
            status: landed.meta.status,
            confirmationStatus,
          };
        }
    return null;
  });
  return view.withContext(statuses, "processed");
}

interface Account {
  lamports: number;
  owner: string;
  data: [text: string, encoding: "base64"];
  executable: boolean;
  rentEpoch: number;
  space: number;
}

function accountOf(view: RpcView, key: string, { dataSlice, commitment }: Config): Account | null {
  const account = view.ledger.accountIn(view.blocks(commitment), key);
  if (!account.exists) return null;
  const { data, executable, programAddress: owner } = account;
  const slice = dataSlice ? data.slice(dataSlice.offset, dataSlice.offset + dataSlice.length) : data;
  const encoded = Buffer.from(slice).toString("base64");
  return {
    lamports: Number(account.lamports),
    owner,
    data: [encoded, "base64"],
    executable,
    rentEpoch: 0,
    space: data.length,
  };
}

function getTokenSupply(view: RpcView, [mint]: unknown[], { commitment }: Config): unknown {
  const account = view.ledger.accountIn(view.blocks(commitment), String(mint));
  if (!account.exists) throw new RpcError(-32602, "Invalid param: could not find mint");
  const data = new DataView(account.data.buffer, account.data.byteOffset);
  const amount = data.getBigUint64(MINT_SUPPLY_OFFSET, true).toString();
  return view.withContext({ amount, decimals: data.getUint8(MINT_DECIMALS_OFFSET) }, commitment);
}

function getTokenAccountsByOwner(view: RpcView, [owner, filter]: unknown[], config: Config): unknown {
  const { programId, mint } = filter as Config;
  const programs = programId ? new Set([programId]) : TOKEN_PROGRAMS;
  const blocks = view.blocks(config.commitment);
  const keys = new Set(blocks.flatMap(({ transactions }) => transactions.flatMap((landed) => landed.keys)));
  const found = [...keys].flatMap((pubkey) => {
    const account = view.ledger.accountIn(blocks, pubkey);
    if (!account.exists || !programs.has(account.programAddress) || account.data.length < 165) return [];
    const key = (at: number) => encodeBase58(Uint8Array.from(account.data.slice(at, at + 32)));
    if (key(32) !== owner || (mint !== undefined && key(0) !== mint)) return [];
    return [{ pubkey, account: accountOf(view, pubkey, config) }];
  });
  return view.withContext(found, config.commitment);
}
