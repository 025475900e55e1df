// The reader's source of news: a stream, else a node's socket, else nothing.
import type { Kit } from "../../kit/kit.ts";
import type { WatchList } from "../chain.ts";
import type { NewsListener } from "../reader.ts";
import type { GrpcEndpoint } from "./geyser.ts";
import { createSolanaStream, type SolanaStream } from "./stream.ts";
import type { Streamed } from "./streamed.ts";
import { createSolanaWakes, type SolanaWakes } from "./wakes.ts";

export interface NewsOptions extends Pick<Kit, "clock" | "log" | "random"> {
  grpc?: GrpcEndpoint | null;
  webSocketUrl: string | null;
  watch: WatchList;
  streamed: Streamed;
  listedWalletsMax: number;
  silenceMsMax?: number;
  reader: NewsListener;
}

export type NewsSource = SolanaStream | SolanaWakes;

/** If there is no slot for this long, it is the stream that is stuck, not the chain. */
const SILENCE_MS_MAX = 30_000;

export function createNews(options: NewsOptions): NewsSource | null {
  const { grpc, webSocketUrl, listedWalletsMax, silenceMsMax = SILENCE_MS_MAX } = options;
  if (grpc)
    return createSolanaStream({ ...options, endpoint: grpc, walletsMax: listedWalletsMax, silenceMsMax });
  return webSocketUrl === null ? null : createSolanaWakes({ ...options, url: webSocketUrl });
}
