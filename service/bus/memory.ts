// The bus of a single process: announcing is telling the listeners.
import type { Log } from "../../kit/log.ts";
import { createListeners } from "./listeners.ts";
import type { Bus, BusMessage } from "./port.ts";

export function memoryBus(log: Log): Bus {
  const listeners = createListeners<BusMessage>(log);
  let closed = false;
  return {
    announce: (message) => {
      if (!closed) listeners.tell(message);
    },
    listen: listeners.add,
    state: () => "up",
    // One process can't lose touch with itself.
    onState: () => () => undefined,
    async close() {
      closed = true;
    },
  };
}
