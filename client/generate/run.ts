// `npm run client:types`: writes the files generated from the contract.
import { join } from "node:path";
import { generatedFiles } from "./outputs.ts";

for (const [path, text] of Object.entries(await generatedFiles())) {
  await Bun.write(join(import.meta.dir, "../..", path), text);
  console.log(path);
}
