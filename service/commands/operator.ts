// Shared by operator commands: the store and the gate, opened next to a running server and closed again.
import { Refused } from "../../client/cli/refused.ts";
import { Fault } from "../../contract/errors.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Access } from "../access/access.ts";
import { memoryBus } from "../bus/memory.ts";
import { redisBus } from "../bus/redis.ts";
import { type Config, readConfig } from "../config.ts";
import { createKit, openAccess, storeLocation } from "../foundation.ts";
import { openStore, type Store } from "../store/store.ts";

export interface Desk {
  config: Config;
  kit: Kit;
  store: Store;
  access: Access;
}

/** Turns the service's own errors into messages for the operator. */
export function inWords<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof Fault ? new Refused(error.message) : error;
  });
}

export async function atTheDesk<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  const config = readConfig();
  const kit = createKit({ logLevel: config.logLevel === "debug" ? "debug" : "warn" });
  const { clock, log, random } = kit;
  const store = await openStore({ location: storeLocation(config), clock, log });
  // With Redis the other nodes learn about a change immediately; without it, within five seconds.
  const bus =
    config.redisUrl === null ? memoryBus(log) : redisBus({ url: config.redisUrl, clock, random, log });
  const access = openAccess(config, store, bus, kit);
  try {
    return await work({ config, kit, store, access });
  } finally {
    await access.close();
    await bus.close();
    await store.close();
  }
}
