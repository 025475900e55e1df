// For tests: a Solana RPC over real HTTP, in front of a small ledger of token accounts. Transactions are really
// compiled, signed and encoded by @solana/kit; what the node says of them follows from what they do to the ledger.
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Transaction,
} from "@solana/kit";
import { freshPublicKey } from "./base58.ts";

export const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const ASSOCIATED_TOKEN = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const TRANSFER_CHECKED = 12;
const MINT_BYTES = 82;
const PAYER_BALANCE = 10n ** 18n;

export interface SentTransaction {
  signature: string;
  slot: number;
  blockTime: number;
  status: "confirmed" | "finalized" | "gone";
  accounts: string[];
  result: Record<string, unknown>;
}

export interface StandInTransfer {
  mint: string;
  to: string;
  amount: bigint;
  references: string[];
  atMs: number;
  status?: SentTransaction["status"];
  /** The transaction lands but fails. */
  fails?: boolean;
  /** What the receiving account gets less than was sent: a Token-2022 transfer fee. */
  fee?: bigint;
}

export type StandInAnswer = (method: string, params: unknown[]) => Response | Promise<Response> | null;

async function associatedAccount(owner: string, mint: string, program = TOKEN): Promise<string> {
  const seeds = [owner, program, mint].map((key) => getAddressEncoder().encode(address(key)));
  const [derived] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN, seeds });
  return derived;
}

export class RpcStandIn {
  readonly sent: SentTransaction[] = [];
  readonly calls: string[] = [];
  /** Answers in the node's place, or null to let it answer. */
  instead: StandInAnswer = () => null;
  /** Changes what the node answers: reorders, repeats, lies. */
  twist: (method: string, result: unknown) => unknown = (_method, result) => result;
  private readonly mints = new Map<string, { decimals: number; program: string }>();
  private readonly balances = new Map<string, bigint>();
  private slot = 1_000;
  private readonly server: Bun.Server<undefined>;
  payer!: KeyPairSigner;

  private constructor() {
    this.server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.answer(request) });
  }

  static async start(): Promise<RpcStandIn> {
    const node = new RpcStandIn();
    node.payer = await generateKeyPairSigner();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/?api-key=canary-of-the-rpc`;
  }

  stop(): Promise<void> {
    return this.server.stop(true);
  }

  addMint(decimals = 6, program = TOKEN): string {
    const mint = freshPublicKey();
    this.mints.set(mint, { decimals, program });
    return mint;
  }

  /** Sends an SPL transfer to the owner's associated account and says what it did to the balances. */
  async transfer(transfer: StandInTransfer): Promise<SentTransaction> {
    // A fresh blockhash each time, so that two equal transfers are two transactions.
    const { signed, to } = await this.sign(transfer, freshPublicKey());
    const before = this.balances.get(to) ?? 0n;
    const after = transfer.fails ? before : before + transfer.amount - (transfer.fee ?? 0n);
    this.balances.set(to, after);
    return this.land(signed, transfer, { before, after });
  }

  /** A real TransferChecked, with the references as read-only keys, compiled and signed. */
  async sign(transfer: StandInTransfer, recentBlockhash: string) {
    const { decimals, program } = this.mintOf(transfer.mint);
    const from = await associatedAccount(this.payer.address, transfer.mint, program);
    const to = await associatedAccount(transfer.to, transfer.mint, program);
    const data = new DataView(new ArrayBuffer(10));
    data.setUint8(0, TRANSFER_CHECKED);
    data.setBigUint64(1, transfer.amount, true);
    data.setUint8(9, decimals);
    const instruction = {
      programAddress: address(program),
      accounts: [
        { address: address(from), role: AccountRole.WRITABLE },
        { address: address(transfer.mint), role: AccountRole.READONLY },
        { address: address(to), role: AccountRole.WRITABLE },
        { address: this.payer.address, role: AccountRole.READONLY_SIGNER },
        ...transfer.references.map((key) => ({ address: address(key), role: AccountRole.READONLY })),
      ],
      data: new Uint8Array(data.buffer),
    };
    const lifetime = { blockhash: blockhash(recentBlockhash), lastValidBlockHeight: 1n };
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(this.payer.address, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstruction(instruction, timed),
    );
    return { from, to, signed: await signTransaction([this.payer.keyPair], compileTransaction(message)) };
  }

  /** Adds a signed transfer to the chain, with what it did to the receiving account. */
  async land(
    signed: Transaction,
    transfer: StandInTransfer,
    { before, after }: { before: bigint; after: bigint },
  ): Promise<SentTransaction> {
    const { decimals, program } = this.mintOf(transfer.mint);
    const accounts = getCompiledTransactionMessageDecoder().decode(signed.messageBytes).staticAccounts;
    const balance = async (owner: string, amount: bigint) => ({
      accountIndex: accounts.indexOf((await associatedAccount(owner, transfer.mint, program)) as Address),
      mint: transfer.mint,
      owner,
      programId: program,
      uiTokenAmount: { amount: amount.toString(), decimals, uiAmount: null, uiAmountString: "" },
    });
    const payer = this.payer.address;
    const payerAfter = transfer.fails ? PAYER_BALANCE : PAYER_BALANCE - transfer.amount;
    const sent: SentTransaction = {
      signature: getSignatureFromTransaction(signed),
      slot: ++this.slot,
      blockTime: Math.floor(transfer.atMs / 1000),
      status: transfer.status ?? "finalized",
      accounts: [...accounts],
      result: {
        transaction: [getBase64EncodedWireTransaction(signed), "base64"],
        version: 0,
        meta: {
          err: transfer.fails ? { InstructionError: [0, { Custom: 1 }] } : null,
          fee: 5000,
          preTokenBalances: [await balance(payer, PAYER_BALANCE), await balance(transfer.to, before)],
          postTokenBalances: [await balance(payer, payerAfter), await balance(transfer.to, after)],
          loadedAddresses: { writable: [], readonly: [] },
        },
      },
    };
    this.sent.push(sent);
    return sent;
  }

  private mintOf(mint: string) {
    return this.mints.get(mint) ?? { decimals: 6, program: TOKEN };
  }

  private async answer(request: Request): Promise<Response> {
    const { id, method, params } = (await request.json()) as {
      id: unknown;
      method: string;
      params: unknown[];
    };
    this.calls.push(method);
    const other = await this.instead(method, params);
    if (other) return other;
    const result = this.twist(method, this.result(method, params));
    return Response.json({ jsonrpc: "2.0", id, result });
  }

  private result(method: string, params: unknown[]): unknown {
    const key = String(params[0]);
    const config = (params[1] ?? {}) as {
      until?: string;
      before?: string;
      limit?: number;
      commitment?: string;
    };
    const standing = this.sent.filter((sent) => sent.status !== "gone");
    if (method === "getSignaturesForAddress") return signaturesFor(standing, key, config);
    if (method === "getTransaction") {
      const found = standing.find((sent) => sent.signature === key && sent.status === "finalized");
      return found ? { slot: found.slot, blockTime: found.blockTime, ...found.result } : null;
    }
    if (method === "getAccountInfo") return { context: { slot: this.slot }, value: this.mintAccount(key) };
    throw new Error(`the stand-in does not know ${method}`);
  }

  private mintAccount(key: string): unknown {
    const mint = this.mints.get(key);
    if (!mint) return null;
    const data = Buffer.alloc(MINT_BYTES);
    data[44] = mint.decimals;
    data[45] = 1;
    const held = {
      data: [data.toString("base64"), "base64"],
      owner: mint.program,
      lamports: 1,
      space: MINT_BYTES,
    };
    return { ...held, executable: false, rentEpoch: 0 };
  }
}

function signaturesFor(
  standing: SentTransaction[],
  key: string,
  { until, before, limit = 1000 }: { until?: string; before?: string; limit?: number },
): unknown[] {
  const list = standing.filter((sent) => sent.accounts.includes(key)).sort((a, b) => b.slot - a.slot);
  const place = (signature: string | undefined) => list.findIndex((sent) => sent.signature === signature);
  const end = place(until) < 0 ? list.length : place(until);
  return list
    .slice(before === undefined ? 0 : place(before) + 1, end)
    .slice(0, limit)
    .map((sent) => ({
      signature: sent.signature,
      slot: sent.slot,
      blockTime: sent.blockTime,
      confirmationStatus: sent.status,
      err: (sent.result.meta as { err: unknown }).err,
      memo: null,
    }));
}
