// Payments on Solana, read through any standard RPC. A transaction is taken from its own bytes: its first signature
// must be the one asked for and must be valid, so an RPC can hide a transfer but can't put words into a payer's mouth.
import type { z } from "zod";
import {
  ChainMismatch,
  type ChainTransaction,
  ChainUnavailable,
  type PaymentChain,
  type TokenBalance,
} from "./chain.ts";
import { AccountAnswer, type BalanceAnswer, NoticesAnswer, TransactionAnswer } from "./solana-answers.ts";
import {
  boundedTransport,
  type CountFault,
  TRANSPORT_LIMITS,
  type TransportLimits,
} from "./solana-transport.ts";

/** SPL Token and Token-2022. */
const TOKEN_PROGRAMS = [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
];
const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
/** Where a mint account keeps its decimals, alike in both token programs. */
const MINT_DECIMALS_OFFSET = 44;

export interface SolanaSettings {
  rpcUrl: string;
  recipient: string;
  mint: string;
  symbol: string;
  decimals: number;
}

export interface SolanaParts {
  settings: SolanaSettings;
  count: CountFault;
  limits?: Partial<TransportLimits>;
}

type SolanaKit = typeof import("@solana/kit");

export function solanaChain({ settings, count, limits }: SolanaParts): PaymentChain {
  const transport = boundedTransport(settings.rpcUrl, { ...TRANSPORT_LIMITS, ...limits }, count);
  let opened:
    | Promise<{ kit: SolanaKit; rpc: ReturnType<SolanaKit["createSolanaRpcFromTransport"]> }>
    | undefined;
  // Imported when first needed: a service that takes no payments does not load it.
  const open = () => {
    opened ??= import("@solana/kit").then((kit) => ({
      kit,
      rpc: kit.createSolanaRpcFromTransport(transport),
    }));
    return opened;
  };
  const tokenAccounts = new Map<string, Promise<string>>();

  const accountAt = async (at: string) => {
    const { kit, rpc } = await open();
    const encoding = { encoding: "base64", commitment: "finalized" } as const;
    return believed(AccountAnswer, await asked(rpc.getAccountInfo(kit.address(at), encoding).send())).value;
  };

  const deriveTokenAccount = async (owner: string, mint: string): Promise<string> => {
    const { kit } = await open();
    const value = await accountAt(mint);
    if (!value || !TOKEN_PROGRAMS.includes(value.owner)) {
      throw new ChainMismatch(`${mint} is not a coin on this chain.`);
    }
    // A token account's own associated account has no owner: coins sent there would be lost.
    const wallet = await accountAt(owner);
    if (wallet && TOKEN_PROGRAMS.includes(wallet.owner)) throw new ChainMismatch(`${owner} is not a wallet.`);
    const decimals = Buffer.from(value.data[0], "base64")[MINT_DECIMALS_OFFSET];
    if (mint === settings.mint && decimals !== settings.decimals) {
      throw new ChainMismatch(`The coin ${mint} has ${decimals} decimals, not ${settings.decimals} as set.`);
    }
    const seeds = [owner, value.owner, mint].map((key) => kit.getAddressEncoder().encode(kit.address(key)));
    const programAddress = kit.address(ASSOCIATED_TOKEN_PROGRAM);
    const [derived] = await kit.getProgramDerivedAddress({ programAddress, seeds });
    return derived;
  };

  return {
    network: "solana",
    test: false,
    asset: { symbol: settings.symbol, mint: settings.mint, decimals: settings.decimals },
    recipient: settings.recipient,
    tokenAccount(owner, mint) {
      const key = `${owner} ${mint}`;
      const known = tokenAccounts.get(key);
      if (known) return known;
      const asking = deriveTokenAccount(owner, mint);
      // One entry per recipient and coin that an operator ever set: a handful.
      tokenAccounts.set(key, asking);
      asking.catch(() => tokenAccounts.delete(key));
      return asking;
    },
    async notices(address, { until, before, limit }) {
      const { kit, rpc } = await open();
      const answer = await asked(
        rpc
          .getSignaturesForAddress(kit.address(address), {
            commitment: "confirmed",
            limit,
            ...(until === null ? {} : { until: kit.signature(until) }),
            ...(before === null ? {} : { before: kit.signature(before) }),
          })
          .send(),
      );
      return believed(NoticesAnswer, answer).map((notice) => ({
        signature: notice.signature,
        slot: notice.slot,
        chainAt: milliseconds(notice.blockTime),
        finalized: notice.confirmationStatus === "finalized",
      }));
    },
    async transaction(signature) {
      const { kit, rpc } = await open();
      const answer = await asked(
        rpc
          .getTransaction(kit.signature(signature), {
            commitment: "finalized",
            encoding: "base64",
            maxSupportedTransactionVersion: 0,
          })
          .send(),
      );
      return answer === null ? null : readTransaction(kit, signature, believed(TransactionAnswer, answer));
    },
  };
}

async function readTransaction(
  kit: SolanaKit,
  signature: string,
  answer: TransactionAnswer,
): Promise<ChainTransaction> {
  const wire = Buffer.from(answer.transaction[0], "base64");
  const { messageBytes, signatures } = attempt(() => kit.getTransactionDecoder().decode(wire));
  const message = attempt(() => kit.getCompiledTransactionMessageDecoder().decode(messageBytes));
  const [payer] = message.staticAccounts;
  const signed = payer ? signatures[payer] : undefined;
  if (!payer || !signed || kit.getBase58Decoder().decode(signed) !== signature) {
    throw new ChainUnavailable("malformed");
  }
  const key = await kit.getPublicKeyFromAddress(payer).catch(() => {
    throw new ChainUnavailable("malformed");
  });
  if (!(await kit.verifySignature(key, signed, messageBytes))) throw new ChainUnavailable("malformed");
  const loaded = answer.meta.loadedAddresses;
  const accounts: string[] = [
    ...message.staticAccounts,
    ...(loaded?.writable ?? []),
    ...(loaded?.readonly ?? []),
  ];
  return {
    signature,
    slot: answer.slot,
    chainAt: milliseconds(answer.blockTime),
    failed: answer.meta.err !== null,
    accounts,
    balances: balancesOf(accounts, answer.meta.preTokenBalances, answer.meta.postTokenBalances),
  };
}

function balancesOf(accounts: string[], before: BalanceAnswer[], after: BalanceAnswer[]): TokenBalance[] {
  const earlier = new Map(before.map((balance) => [balance.accountIndex, balance]));
  const later = new Map(after.map((balance) => [balance.accountIndex, balance]));
  if (earlier.size !== before.length || later.size !== after.length) throw new ChainUnavailable("malformed");
  return [...new Set([...earlier.keys(), ...later.keys()])].map((index) => {
    const account = accounts[index];
    const [was, is] = [earlier.get(index), later.get(index)];
    const known = is ?? was;
    if (account === undefined || !known) throw new ChainUnavailable("malformed");
    const sameCoin = was?.mint === known.mint;
    return {
      account,
      mint: known.mint,
      owner: is?.owner ?? null,
      ownerBefore: was?.owner ?? null,
      decimals: known.uiTokenAmount.decimals,
      before: was && sameCoin ? was.uiTokenAmount.amount : 0n,
      after: is ? is.uiTokenAmount.amount : 0n,
    };
  });
}

/** An RPC that answers with an error of its own refused the call; what the transport threw passes through. */
async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ChainUnavailable ? error : new ChainUnavailable("refused");
  }
}

function believed<Answer>(shape: z.ZodType<Answer>, answer: unknown): Answer {
  const read = shape.safeParse(answer);
  if (!read.success) throw new ChainUnavailable("malformed");
  return read.data;
}

function attempt<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw new ChainUnavailable("malformed");
  }
}

function milliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}
