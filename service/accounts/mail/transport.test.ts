import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderTransport } from "./transport.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-mail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the folder keeps the newest mails up to its bound, each whole", async () => {
  const transport = folderTransport(join(folder, "outbox"), 3);
  for (let i = 0; i < 5; i++) {
    await transport.deliver({
      mailId: `link:${i}/../x`,
      from: "Crowdtape <keys@tape.example>",
      to: "me@example.com",
      subject: `Mail ${i}`,
      text: "Hello.\n",
      at: Date.UTC(2026, 0, 1 + i),
    });
  }
  const files = readdirSync(join(folder, "outbox")).sort();
  const texts = files.map((name) => readFileSync(join(folder, "outbox", name), "utf8"));
  expect(texts.map((text) => /^Subject: (.*)\r$/m.exec(text)?.[1])).toEqual(["Mail 2", "Mail 3", "Mail 4"]);
  expect(texts[0]).toContain("From: Crowdtape <keys@tape.example>\r\n");
  expect(readdirSync(folder)).toEqual(["outbox"]);
});
