// The bundler's entries, each by the name that pages use for it.
import { join } from "node:path";

export const WEB_FOLDER = join(import.meta.dir, "..");

export const ENTRIES = {
  "theme.js": "shared/theme-switch.ts",
  "site.css": "shared/site.css",
  "home.js": "explorer/entries/home.tsx",
  "leaderboard.js": "explorer/entries/leaderboard.tsx",
  "copy-board.js": "explorer/entries/copy-board.tsx",
  "trader.js": "explorer/entries/trader.tsx",
  "trade.js": "explorer/entries/trade.tsx",
  "now.js": "explorer/entries/now.tsx",
  "following.js": "explorer/entries/following.tsx",
  "token.js": "explorer/entries/token.tsx",
  "tape.js": "explorer/entries/tape.tsx",
  "theses.js": "explorer/entries/theses.tsx",
  "boards.js": "explorer/entries/boards.tsx",
  "search.js": "explorer/entries/search.tsx",
  "plain.js": "explorer/entries/plain.tsx",
  "worker.js": "worker/worker.ts",
  "console.js": "console/entry.tsx",
  "console.css": "console/console.css",
  "admin.js": "admin/entry.tsx",
  "docs.js": "docs/client.ts",
  "docs.css": "docs/docs.css",
  "pricing.js": "pricing/client.ts",
  "pricing.css": "pricing/pricing.css",
  "pay.js": "pay/client.ts",
  "pay.css": "pay/page.css",
} as const;

export type EntryName = keyof typeof ENTRIES;
