// One subscription to a node's Yellowstone gRPC stream: the transactions of some accounts, and the slots, which tell a silent
// server from a quiet chain. The package is loaded on the first connection, so nobody else pays for it.
import type { SubscribeUpdate } from "@triton-one/yellowstone-grpc";

export interface GrpcEndpoint {
  url: string;
  /** Holds a key: never logged. */
  token: string | null;
}

export interface GeyserQuestion {
  /** Transactions that mention any of these. */
  accounts: readonly string[];
  /** Start here instead of now: a server keeps a few minutes. */
  fromSlot: number | null;
}

export interface GeyserStream {
  /** Changes the subscription from now on. */
  ask(question: GeyserQuestion): void;
  ping(id: number): void;
  close(): void;
}

export interface GeyserListener {
  onUpdate(update: SubscribeUpdate): void;
  /** Called once, whichever side ended it. */
  onEnd(error: Error | null): void;
}

/** A full transaction is some ten kilobytes; a server that sends more than this is cut off. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

export async function openGeyser(
  { url, token }: GrpcEndpoint,
  { onUpdate, onEnd }: GeyserListener,
): Promise<GeyserStream> {
  const { default: Client, CommitmentLevel, SubscribeRequest } = await import("@triton-one/yellowstone-grpc");
  const client = new Client(url, token ?? undefined, {
    "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
  });
  const stream = await client.subscribe();
  let hasEnded = false;
  const end = (error: Error | null) => {
    if (hasEnded) return;
    hasEnded = true;
    stream.cancel();
    client._client.close();
    onEnd(error);
  };
  stream.on("data", onUpdate);
  stream.on("error", end);
  stream.on("end", () => end(null));
  stream.on("close", () => end(null));
  return {
    ask({ accounts, fromSlot }) {
      const transactions = { vote: false, failed: false, accountInclude: [...accounts] };
      stream.write(
        SubscribeRequest.fromPartial({
          slots: { head: { filterByCommitment: true } },
          // An empty list would mean all transactions.
          ...(accounts.length > 0 && { transactions: { watched: transactions } }),
          commitment: CommitmentLevel.CONFIRMED,
          ...(fromSlot !== null && { fromSlot: String(fromSlot) }),
        }),
      );
    },
    ping: (id) => void stream.write(SubscribeRequest.fromPartial({ ping: { id } })),
    close: () => end(null),
  };
}
