// Assets that are only names, for tests of what a page says.
import type { AssetUrls } from "./assets.ts";

export const NAMED_ASSETS: AssetUrls = { url: (name) => `/assets/${name}`, preload: () => [] };
