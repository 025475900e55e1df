// The resources: the documents of the interface, as text, generated from the contract.
import { errorsText, llmsText, streamsText, TAG_NAMES, tagText } from "../../contract/llms.ts";
import { TAGS } from "../../contract/route.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";

export interface Document {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
  text: string;
}

const uriOf = (name: string) => `crowdtape://docs/${name}`;

export function documents(baseUrl: string): Document[] {
  const text = (name: string, description: string, body: string): Document => ({
    uri: uriOf(name),
    name,
    description,
    mimeType: "text/markdown",
    text: body,
  });
  return [
    text("all", "The whole interface in one page.", llmsText({ baseUrl, version: SERVICE_VERSION })),
    ...TAG_NAMES.map((tag) => text(tag.toLowerCase(), TAGS[tag], `# ${tag}\n\n${tagText(tag, baseUrl)}`)),
    text("streams", "The two WebSocket streams and their close codes.", `# Streams\n\n${streamsText()}`),
    text("errors", "Every error code, and what to do about it.", `# Errors\n\n${errorsText()}`),
  ];
}
