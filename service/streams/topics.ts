// Topics: sockets with the same filter on the same lane share one, so an event is published once for all of them.
// A topic lives as long as a socket is in it.

import type { StreamName } from "../../contract/frames.ts";
import type { FeedEntry } from "../feed/entry.ts";
import type { FeedFilter } from "../feed/filter.ts";
import { createFilterIndex, type FilterIndex } from "../feed/filter-index.ts";

export interface Topic {
  name: string;
  sockets: number;
  /** Asked for trades again when they are final. */
  finality: boolean;
}

export interface Topics {
  join(stream: StreamName, key: string, filter: FeedFilter): string;
  leave(stream: StreamName, key: string): void;
  /** The topics whose filter this entry matches. */
  of(entry: FeedEntry): Topic[];
  count(): number;
}

export function createTopics(laneName: string): Topics {
  const indexes: Record<StreamName, FilterIndex<Topic>> = {
    alerts: createFilterIndex(),
    trades: createFilterIndex(),
  };
  const topics: Record<StreamName, Map<string, Topic>> = { alerts: new Map(), trades: new Map() };
  let made = 0;
  return {
    join(stream, key, filter) {
      const known = topics[stream].get(key);
      if (known) {
        known.sockets++;
        return known.name;
      }
      const finality = filter.finality === true;
      const topic = { name: `${stream} ${laneName} ${++made}`, sockets: 1, finality };
      topics[stream].set(key, topic);
      indexes[stream].add(key, filter, topic);
      return topic.name;
    },
    leave(stream, key) {
      const topic = topics[stream].get(key);
      if (!topic || --topic.sockets > 0) return;
      topics[stream].delete(key);
      indexes[stream].remove(key);
    },
    of(entry) {
      const index = indexes[entry.stream];
      if (index.size() === 0) return [];
      const matching = entry.facts ? index.search(entry.facts) : index.searchByChain(entry.chainId);
      return entry.isUpgrade ? matching.filter((topic) => topic.finality) : matching;
    },
    count: () => topics.alerts.size + topics.trades.size,
  };
}
