// The documents: the reference for people, and the machine-readable ones (OpenAPI, AsyncAPI, llms.txt).
import { asyncApiSlices } from "../../contract/asyncapi.ts";
import type { Chains } from "../../contract/chains.ts";
import { llmsText } from "../../contract/llms.ts";
import { openApiSlices } from "../../contract/openapi.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";
import { inTurns } from "../../kit/slices.ts";
import type { Assets } from "../../web/assets/assets.ts";
import { docsSlices } from "../../web/docs/page.tsx";
import type { VisitorMode } from "../../web/shared/data.ts";
import type { SitePage } from "../api/page.ts";
import type { Store } from "../store/store.ts";
import { knownExamples } from "./known-examples.ts";
import { fixedHtml, fixedJson, fixedText } from "./pages.ts";

export interface DocumentPagesParts {
  /** Null if the explorer is off: the reference is then the first page. */
  explorer: VisitorMode | null;
  isSimulated: () => boolean;
  publicUrl: () => string;
  chains: Chains;
  assets: Assets;
  store: Store;
}

export function documentPages({
  explorer,
  isSimulated,
  publicUrl,
  chains,
  assets,
  store,
}: DocumentPagesParts): Record<string, SitePage> {
  const reference = fixedHtml(async () => {
    const known = await knownExamples(store);
    const text = await inTurns(
      docsSlices({ baseUrl: publicUrl(), chains, explorer, known, isSimulated: isSimulated() }, assets),
    );
    return { text, isWhole: Object.keys(known).length > 0 };
  });
  return {
    ...(explorer === null ? { "/": reference } : {}),
    "/docs": reference,
    "/openapi.json": fixedJson(() =>
      inTurns(openApiSlices({ baseUrl: publicUrl(), version: SERVICE_VERSION, chains })),
    ),
    "/llms.txt": fixedText(() => llmsText({ baseUrl: publicUrl(), version: SERVICE_VERSION })),
    "/asyncapi.json": fixedJson(() =>
      inTurns(
        asyncApiSlices({ wsBaseUrl: publicUrl().replace(/^http/, "ws"), version: SERVICE_VERSION, chains }),
      ),
    ),
  };
}
