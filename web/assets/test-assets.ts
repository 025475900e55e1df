// Assets that are only names, for tests of page contents.
import type { AssetUrls } from "./assets.ts";

export const NAMED_ASSETS: AssetUrls = { url: (name) => `/assets/${name}`, preload: () => [] };
