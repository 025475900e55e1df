// For tests: a Yellowstone gRPC server over real HTTP/2, in front of the test ledger: confirmed transactions by account,
// slots, pongs, and a ring of recent blocks to start from. A test may make it stall, repeat, reorder, lose, half-close and
// drop.
import { createServer, type Http2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { SubscribeRequest, SubscribeUpdate } from "@triton-one/yellowstone-grpc";
import { decodeBase58 } from "../../../tracker/solana/base58.ts";
import type { Block, TestLedger } from "./ledger.ts";

const PATH = "/geyser.Geyser/Subscribe";
const FRAME_BYTES = 5;
const INVALID_ARGUMENT = 3;
const UNAUTHENTICATED = 16;

interface Subscriber {
  stream: ServerHttp2Stream;
  accounts: ReadonlySet<string>;
  /** Hashes of blocks that it received. */
  sent: Set<string>;
  trailers: Record<string, string>;
}

type Update = Record<string, unknown>;

export class TestGeyser {
  readonly subscribers = new Set<Subscriber>();
  /** The start slots requested by subscribers, in order. */
  readonly begins: (number | null)[] = [];
  pings = 0;
  /** Sends nothing, not even pongs. */
  stalls = false;
  /** Answers pings and sends nothing else. */
  isDeaf = false;
  repeats = false;
  reorders = false;
  forgets: (signature: string) => boolean = () => false;
  /** How many confirmed blocks back a subscriber may start. */
  ring = 100;
  /** Starts with new blocks regardless of the request. */
  ignoresFromSlot = false;
  private readonly server = createServer();
  private readonly sessions = new Set<Http2Session>();

  constructor(
    private readonly ledger: TestLedger,
    private readonly token = "canary-of-the-stream",
  ) {
    const before = ledger.onAdvance;
    ledger.onAdvance = () => {
      before();
      for (const subscriber of this.subscribers) this.catchUp(subscriber);
    };
    this.server.on("session", (session) => {
      this.sessions.add(session);
      session.on("close", () => this.sessions.delete(session));
      session.on("error", () => {});
    });
    this.server.on("stream", (stream, headers) => this.open(stream as ServerHttp2Stream, headers));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get endpoint(): { url: string; token: string } {
    return { url: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`, token: this.token };
  }

  /** Ends its side of every stream, as a server does on an orderly restart. */
  halfClose(): void {
    for (const subscriber of this.subscribers) this.end(subscriber, 0, "");
  }

  /** Cuts every connection. */
  drop(): void {
    for (const session of this.sessions) session.destroy();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private open(stream: ServerHttp2Stream, headers: Record<string, unknown>): void {
    const subscriber: Subscriber = { stream, accounts: new Set(), sent: new Set(), trailers: {} };
    stream.on("error", () => {});
    stream.on("wantTrailers", () => stream.sendTrailers(subscriber.trailers));
    stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
    const isKnown = headers[":path"] === PATH && headers["x-token"] === this.token;
    if (!isKnown) {
      this.end(subscriber, UNAUTHENTICATED, "no such method or token");
      return;
    }
    stream.on("close", () => this.subscribers.delete(subscriber));
    let bytes = Buffer.alloc(0);
    stream.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= FRAME_BYTES && bytes.length >= FRAME_BYTES + bytes.readUInt32BE(1)) {
        const end = FRAME_BYTES + bytes.readUInt32BE(1);
        this.hear(subscriber, SubscribeRequest.decode(new Uint8Array(bytes.subarray(FRAME_BYTES, end))));
        bytes = bytes.subarray(end);
      }
    });
  }

  private hear(subscriber: Subscriber, request: SubscribeRequest): void {
    if (request.ping) {
      this.pings++;
      if (!this.stalls) this.write(subscriber, [{ pong: { id: request.ping.id } }]);
      return;
    }
    subscriber.accounts = new Set(request.transactions.watched?.accountInclude ?? []);
    if (this.subscribers.has(subscriber)) return;
    const from = request.fromSlot === undefined ? null : Number(request.fromSlot);
    this.begins.push(from);
    const blocks = this.ledger.at("confirmed");
    const first = blocks.at(-this.ring)?.slot ?? 0;
    if (from !== null && from < first) {
      const message = `broadcast from ${from} is not available, last available: ${first}`;
      this.end(subscriber, INVALID_ARGUMENT, message);
      return;
    }
    const begin = from === null || this.ignoresFromSlot ? Infinity : from;
    for (const { slot, blockhash } of blocks) if (slot < begin) subscriber.sent.add(blockhash);
    this.subscribers.add(subscriber);
    this.catchUp(subscriber);
  }

  private catchUp(subscriber: Subscriber): void {
    if (this.stalls || this.isDeaf) return;
    const fresh = this.ledger.at("confirmed").filter(({ blockhash }) => !subscriber.sent.has(blockhash));
    for (const { blockhash } of fresh) subscriber.sent.add(blockhash);
    const updates = fresh.flatMap((block) => this.updatesOf(subscriber, block));
    if (this.reorders) updates.reverse();
    this.write(subscriber, this.repeats ? [...updates, ...updates] : updates);
  }

  private updatesOf({ accounts }: Subscriber, block: Block): Update[] {
    const slot = String(block.slot);
    const named = block.transactions.filter(
      ({ keys, failed, signature }) =>
        !failed && keys.some((key) => accounts.has(key)) && !this.forgets(signature),
    );
    const transactions = named.map((landed) => ({
      filters: ["watched"],
      transaction: { slot, transaction: streamedOf(landed, block.transactions.indexOf(landed)) },
    }));
    return [...transactions, { filters: ["head"], slot: { slot, status: 1 } }];
  }

  private write({ stream }: Subscriber, updates: Update[]): void {
    for (const update of updates) {
      const body = SubscribeUpdate.encode(SubscribeUpdate.fromPartial(update as never)).finish();
      const frame = Buffer.alloc(FRAME_BYTES + body.length);
      frame.writeUInt32BE(body.length, 1);
      frame.set(body, FRAME_BYTES);
      if (!stream.destroyed && !stream.writableEnded) stream.write(frame);
    }
  }

  private end(subscriber: Subscriber, status: number, message: string): void {
    this.subscribers.delete(subscriber);
    subscriber.trailers = { "grpc-status": String(status), "grpc-message": encodeURIComponent(message) };
    subscriber.stream.end();
  }
}

const bytesOf = (text: string): Uint8Array => decodeBase58(text) ?? new Uint8Array();

interface JsonInstruction {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight: number | null;
}
interface JsonTransaction {
  signature: string;
  message: Record<string, unknown>;
  meta: Record<string, unknown>;
}

/** A transaction in the shape of `getTransaction` (encoding json), converted to the stream's form. */
export function streamedOf({ signature, message, meta }: JsonTransaction, index: number) {
  const { accountKeys, header, instructions } = message as {
    accountKeys: string[];
    header: { numRequiredSignatures: number };
    instructions: JsonInstruction[];
  };
  const loaded = meta.loadedAddresses as { writable: string[]; readonly: string[] } | undefined;
  const inner = meta.innerInstructions as { index: number; instructions: JsonInstruction[] }[];
  return {
    signature: bytesOf(signature),
    index: String(index),
    transaction: {
      signatures: [bytesOf(signature)],
      message: {
        header,
        accountKeys: accountKeys.map(bytesOf),
        instructions: instructions.map(instructionOf),
      },
    },
    meta: {
      fee: String(meta.fee),
      preBalances: (meta.preBalances as number[]).map(String),
      postBalances: (meta.postBalances as number[]).map(String),
      preTokenBalances: meta.preTokenBalances as { mint: string }[],
      postTokenBalances: meta.postTokenBalances as { mint: string }[],
      innerInstructions: inner.map((each) => ({
        index: each.index,
        instructions: each.instructions.map(innerOf),
      })),
      loadedWritableAddresses: (loaded?.writable ?? []).map(bytesOf),
      loadedReadonlyAddresses: (loaded?.readonly ?? []).map(bytesOf),
    },
  };
}

function instructionOf({ programIdIndex, accounts, data }: JsonInstruction) {
  return { programIdIndex, accounts: Uint8Array.from(accounts), data: bytesOf(data) };
}

function innerOf(instruction: JsonInstruction) {
  const { stackHeight } = instruction;
  return { ...instructionOf(instruction), ...(stackHeight !== null && { stackHeight }) };
}
