// `crowdtape login` and `logout`: the saved server and key.
import { createClient } from "../src/client.ts";
import { forgetLogin, loginFile, readSecret, saveLogin } from "./login.ts";
import { reading, SERVER } from "./reading.ts";
import { Refused } from "./refused.ts";

export const login = reading({
  usage: "login [--server URL]",
  summary: "Saves a server and its key for the commands that read. The key is read from standard input.",
  async run({ values, remark, write }) {
    const server = (values.server ?? SERVER).replace(/\/+$/, "");
    const key = values.key ?? (await readSecret("API key: "));
    if (key === "") throw new Refused("No key was given.");
    const { plan, credits } = await createClient({ server, key }).getMe();
    saveLogin({ server, key });
    await write(
      `Logged in to ${server}: plan ${plan}, ${credits.remaining.toLocaleString("en")} credits left.\n`,
    );
    remark(`Saved in ${loginFile()}, which only you can read.`);
  },
});

export const logout = reading({
  usage: "logout",
  summary: "Forgets the saved login.",
  async run({ write }) {
    forgetLogin();
    await write("The saved login is forgotten.\n");
  },
});
