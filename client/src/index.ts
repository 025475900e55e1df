// @crowdtape/client: a service's whole interface, typed, without a dependency. Runs in Node, Bun and browsers.
export {
  ApiError,
  BudgetExceeded,
  BufferOverflow,
  ConnectionFailed,
  CrowdtapeError,
  StreamClosed,
} from "./api-error.ts";
export { type ClientOptions, type Crowdtape, createClient, receiptOf } from "./client.ts";
export * from "./errors.ts";
export * from "./generated.ts";
export type { CallOptions } from "./operation.ts";
export type { AlertStream, AlertStreamOptions } from "./stream/alerts.ts";
export type { WhenFull } from "./stream/buffer.ts";
export type { PositionStore, StreamPosition } from "./stream/position.ts";
export type { Frame, WebSocketLike } from "./stream/socket.ts";
export type { Gap, Stream, StreamOptions, StreamStatus } from "./stream/stream.ts";
export type { TradeStream, TradeStreamOptions } from "./stream/trades.ts";
export type { Time } from "./time.ts";
export {
  type Answer,
  createTransport,
  type Receipt,
  type Transport,
  type TransportOptions,
} from "./transport.ts";
export { type ReceivedWebhook, verifyWebhook } from "./verify-webhook.ts";
