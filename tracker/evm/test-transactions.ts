// Real transactions in the tests' own compact form (fixtures/transactions.jsonl), and their parser.
import { join } from "node:path";
import type { FlowKind } from "../chain.ts";
import { evmChain } from "./chains.ts";
import type { NativeBalances } from "./native.ts";
import type { Included } from "./netting.ts";
import type { RawLog } from "./wire.ts";

type LegRow = [token: string, amountRaw: string];

interface Row {
  name: string;
  chainId: number;
  wallet: string;
  hash: string;
  from: string;
  to: string | null;
  value: string;
  status: string;
  gasUsed: string;
  gasPrice: string;
  l1Fee: string | null;
  /** The wallet's native balance gain, network fee included. */
  gained: string;
  logs: string[][];
  kind: FlowKind;
  sold: LegRow[];
  bought: LegRow[];
  others: [wallet: string, sold: LegRow[], bought: LegRow[]][];
}

export interface KnownTransaction {
  name: string;
  included: Included;
  wallet: string;
  balances: NativeBalances;
  kind: FlowKind;
  sold: LegRow[];
  bought: LegRow[];
  others: Row["others"];
}

/** Any balance that is large enough: only the difference is real. */
const BALANCE_BEFORE = 1000n * 10n ** 18n;

export async function knownTransactions(): Promise<KnownTransaction[]> {
  const text = await Bun.file(join(import.meta.dir, "fixtures/transactions.jsonl")).text();
  return text
    .trim()
    .split("\n")
    .map((line) => known(JSON.parse(line) as Row));
}

function known(row: Row): KnownTransaction {
  const logs = row.logs.map(logOf);
  return {
    name: row.name,
    wallet: row.wallet,
    balances: { before: BALANCE_BEFORE, after: BALANCE_BEFORE + BigInt(row.gained) },
    included: {
      chain: evmChain(row.chainId),
      transaction: { hash: row.hash, from: row.from, to: row.to, value: row.value },
      receipt: {
        transactionHash: row.hash,
        status: row.status,
        gasUsed: row.gasUsed,
        effectiveGasPrice: row.gasPrice,
        l1Fee: row.l1Fee,
        logs,
      },
    },
    kind: row.kind,
    sold: row.sold,
    bought: row.bought,
    others: row.others,
  };
}

function logOf(cells: string[], index: number): RawLog {
  return {
    address: String(cells[0]),
    topics: cells.slice(1, -1),
    data: String(cells.at(-1)),
    logIndex: `0x${index.toString(16)}`,
  };
}
