/** @jsxImportSource preact */
// The console's document: rendered without a key, filled by its script with one.
import type { AssetUrls } from "../assets/assets.ts";
import type { PageData } from "../shared/data.ts";
import { renderDocument } from "../shared/document.tsx";
import { ConsoleApp } from "./app.tsx";

export function renderConsole(data: PageData, assets: AssetUrls): string {
  return renderDocument(
    {
      title: "Console · Crowdtape",
      description: "Your plan, credits, keys, payments, streams and a playground.",
      url: null,
      body: (
        <div id="app">
          <ConsoleApp data={data} />
        </div>
      ),
      scripts: ["console.js"],
      styles: ["site.css", "console.css"],
      data,
    },
    assets,
  );
}
