// The bytes and their headers. Refuses nothing and never waits.
import { ACCEPTED, sendFile, sendNotModified, sendPacked } from "../respond.ts";
import type { Exchange } from "./exchange.ts";

export function send(exchange: Exchange): Response {
  const { packed, served } = exchange;
  const maxAgeSeconds = Math.max(0, Math.ceil((packed.freshUntil - served.clock.now()) / 1_000));
  if (packed.file !== null && exchange.part !== null && !exchange.isUnchanged)
    return exchange.close(sendFile(exchange, packed.file, exchange.part, maxAgeSeconds));
  return exchange.close(
    exchange.isUnchanged
      ? sendNotModified(exchange, packed, maxAgeSeconds)
      : sendPacked(exchange, packed, packed.isAccepted ? ACCEPTED : served.route.status, maxAgeSeconds),
  );
}
