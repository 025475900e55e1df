// The pages' scripts and styles under names that contain their hash: precompressed, cached by browsers permanently. And the
// favicon.

import { fault } from "../../contract/errors.ts";
import { ASSETS_PATH, type Assets } from "../../web/assets/assets.ts";
import { FAVICON } from "../../web/shared/favicon.ts";
import { MANIFEST } from "../../web/shared/manifest.ts";
import { OFFLINE_PAGE } from "../../web/worker/offline.ts";
import { accepts } from "../api/compress.ts";
import type { SitePage } from "../api/page.ts";
import { html } from "./pages.ts";

const FOR_GOOD = "public, max-age=31536000, immutable";
const A_DAY = "public, max-age=86400";

export function assetPages(assets: Assets): Record<string, SitePage> {
  return {
    [`${ASSETS_PATH}/{file}`]: {
      GET: (request) => {
        const file = assets.files.get(request.params?.file ?? "");
        if (!file)
          throw fault(
            "not_found",
            "There is no such file. The page that linked to it is from an older server version.",
          );
        const [bytes, encoding] = accepts(request.headers.get("accept-encoding"), "br")
          ? [file.brotli, "br"]
          : accepts(request.headers.get("accept-encoding"), "gzip")
            ? [file.gzip, "gzip"]
            : [file.plain, null];
        return new Response(bytes, {
          headers: {
            "content-type": file.type,
            "cache-control": FOR_GOOD,
            "x-content-type-options": "nosniff",
            vary: "Accept-Encoding",
            ...(encoding === null ? {} : { "content-encoding": encoding }),
          },
        });
      },
    },
    // A worker's scope is the folder it is served from, so it has its own path; browsers check for a newer one themselves.
    "/worker.js": {
      GET: () => {
        const file = assets.files.get(assets.url("worker.js").slice(ASSETS_PATH.length + 1));
        if (!file) throw fault("not_found", "There is no such file.");
        return new Response(file.plain, {
          headers: { "content-type": file.type, "cache-control": "no-cache" },
        });
      },
    },
    "/offline": { GET: () => html(OFFLINE_PAGE) },
    "/favicon.svg": { GET: () => sentForADay(FAVICON, "image/svg+xml") },
    "/manifest.webmanifest": { GET: () => sentForADay(MANIFEST, "application/manifest+json") },
  };
}

function sentForADay(text: string, type: string): Response {
  return new Response(text, {
    headers: { "content-type": type, "cache-control": A_DAY, "x-content-type-options": "nosniff" },
  });
}
