// The pages that people look at, put together: the reference, the documents for machines, and the explorer with its
// visitors. What is in them comes from web; who may see it, from access.
import { asyncApiSlices } from "../contract/asyncapi.ts";
import type { Chains } from "../contract/chains.ts";
import { llmsText } from "../contract/llms.ts";
import { openApiSlices } from "../contract/openapi.ts";
import { SERVICE_VERSION } from "../contract/version.ts";
import { freshUuid } from "../kit/ids.ts";
import { inTurns } from "../kit/slices.ts";
import type { Assets } from "../web/assets/assets.ts";
import { docsSlices } from "../web/docs/page.ts";
import { PAGE_HEADER, VISITOR_PREFIX } from "../web/shared/api.ts";
import type { Access } from "./access/access.ts";
import { createVisitors } from "./access/visitors.ts";
import { createExplorer, type Explorer } from "./api/explorer.ts";
import { knownExamples } from "./api/known-examples.ts";
import { fixedHtml, fixedJson, fixedText, type Page } from "./api/pages.ts";
import type { Config } from "./config.ts";
import { sharedSecret } from "./store/money/shared-secret.ts";
import type { Store } from "./store/store.ts";

/** What the explorer's pages and their own calls need; null where it is off. */
export function openExplorer(
  config: Pick<Config, "explorer">,
  parts: Omit<Parameters<typeof createExplorer>[0], "mode" | "visitors"> & { access: Access; store: Store },
): Explorer | null {
  if (config.explorer === "off") return null;
  const { clock, store, publicUrl } = parts;
  const visitors = createVisitors({
    clock,
    secret: () =>
      sharedSecret(store.database, "visitor-cookie", { value: freshUuid() + freshUuid(), at: clock.now() }),
    header: PAGE_HEADER,
    path: VISITOR_PREFIX,
    isSecure: () => publicUrl().startsWith("https:"),
  });
  return createExplorer({
    ...parts,
    mode: config.explorer,
    visitors: config.explorer === "open" ? visitors : null,
  });
}

export function documents(
  config: Pick<Config, "explorer">,
  {
    publicUrl,
    chains,
    assets,
    store,
  }: { publicUrl: () => string; chains: Chains; assets: Assets; store: Store },
): Record<string, Page> {
  const explorer = config.explorer === "off" ? null : config.explorer;
  const reference = fixedHtml(async () => {
    const known = await knownExamples(store);
    const text = await inTurns(docsSlices({ baseUrl: publicUrl(), chains, explorer, known }, assets));
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
