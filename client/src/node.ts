// The package as Node loads it: the same, plus a WebSocket if Node has none.
import { type ClientOptions, type Crowdtape, createClient as createAnywhere } from "./client.ts";
import { NodeSocket } from "./node-socket.ts";

export * from "./index.ts";

export function createClient(options: ClientOptions = {}): Crowdtape {
  return createAnywhere({ WebSocket: globalThis.WebSocket ?? NodeSocket, ...options });
}
