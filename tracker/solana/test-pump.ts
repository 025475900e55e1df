// For tests: a launch pad's accounts and transactions on the test cluster, which lacks its program. Curves are written into the
// virtual machine; transactions that created or moved a token are injected into the node's answers, in the program's format.
import { address, getAddressEncoder, getProgramDerivedAddress, lamports } from "@solana/kit";
import type { TestLedger } from "../../test/chains/solana/ledger.ts";
import type { TestNode } from "../../test/chains/solana/node.ts";
import { encodeBase58 } from "./base58.ts";
import { METADATA_PROGRAM, PUMP_PROGRAM } from "./programs.ts";

const encode = (key: string) => getAddressEncoder().encode(address(key));

async function derived(program: string, seeds: (string | ReturnType<typeof encode>)[]): Promise<string> {
  return (await getProgramDerivedAddress({ programAddress: address(program), seeds }))[0];
}

export const curveOf = (mint: string) => derived(PUMP_PROGRAM, ["bonding-curve", encode(mint)]);
export const authorityOf = (mint: string) => derived(PUMP_PROGRAM, ["pool-authority", encode(mint)]);
export const metadataOf = (mint: string) =>
  derived(METADATA_PROGRAM, ["metadata", encode(METADATA_PROGRAM), encode(mint)]);

/** The `creator` field can be anyone: the token's creator chooses it. */
export async function putCurve(ledger: TestLedger, mint: string, isComplete: boolean, creator: string) {
  const data = new Uint8Array(81);
  data.set(Buffer.from("17b7f83760d8ac60", "hex"));
  data.set([isComplete ? 1 : 0], 48);
  data.set(encode(creator), 49);
  ledger.vm.setAccount({
    address: address(await curveOf(mint)),
    programAddress: address(PUMP_PROGRAM),
    data,
    executable: false,
    lamports: lamports(1_454_640n),
    space: BigInt(data.length),
  });
}

export interface PadTransaction {
  signature: string;
  slot: number;
  failed?: boolean;
  transaction: unknown;
}

const DISCRIMINATORS = {
  create_v2: "d6904cec5f8b31b4",
  migrate: "9beae792ec9ea21e",
  migrate_v2: "bbcb121fceedfe29",
} as const;

/** One instruction of the program; `accounts` in the order of its interface. */
export function padTransaction(
  signature: string,
  slot: number,
  kind: keyof typeof DISCRIMINATORS,
  { signer, accounts, timeMs }: { signer: string; accounts: string[]; timeMs: number },
): PadTransaction {
  const keys = [...new Set([signer, ...accounts, PUMP_PROGRAM])];
  const none = keys.map(() => 0);
  const transaction = {
    slot,
    blockTime: timeMs / 1_000,
    version: 0,
    meta: { err: null, fee: 5_000, preBalances: none, postBalances: none, innerInstructions: [] },
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: keys,
        header: { numRequiredSignatures: 1 },
        instructions: [
          {
            programIdIndex: keys.indexOf(PUMP_PROGRAM),
            accounts: accounts.map((key) => keys.indexOf(key)),
            data: encodeBase58(Uint8Array.from(Buffer.from(`${DISCRIMINATORS[kind]}00`, "hex"))),
          },
        ],
      },
    },
  };
  return { signature, slot, transaction };
}

/** The node returns this history for these addresses, newest first, in pages; everything else is unchanged. */
export function tell(node: TestNode, histories: ReadonlyMap<string, readonly PadTransaction[]>): void {
  node.instead = (method, params) => {
    const [first, config] = params as [string, { before?: string; limit?: number }];
    const all = [...histories.values()].flat();
    if (method === "getTransaction") {
      const found = all.find(({ signature }) => signature === first);
      return found && { result: found.transaction };
    }
    const history = method === "getSignaturesForAddress" ? histories.get(first) : undefined;
    if (!history) return undefined;
    const from = history.findIndex(({ signature }) => signature === config.before) + 1;
    const page = history.slice(from, from + (config.limit ?? 1_000));
    const result = page.map(({ signature, slot, failed }) => ({
      signature,
      slot,
      blockTime: 1,
      err: failed ? { InstructionError: [0, { Custom: 1 }] } : null,
    }));
    return { result };
  };
}
