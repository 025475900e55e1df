/** @jsxImportSource preact */
// The operator's document: rendered without data, filled by its script for those who may see it.
import type { AssetUrls } from "../assets/assets.ts";
import type { PageData } from "../shared/data.ts";
import { renderDocument } from "../shared/document.tsx";
import { AdminApp } from "./app.tsx";

export function renderAdmin(data: PageData, assets: AssetUrls): string {
  return renderDocument(
    {
      title: "Operator · Crowdtape",
      description: "Accounts, keys, chains, webhooks and spam.",
      url: null,
      body: (
        <div id="app">
          <AdminApp data={data} />
        </div>
      ),
      scripts: ["admin.js"],
      styles: ["site.css", "console.css"],
      data,
    },
    assets,
  );
}
