/** @jsxImportSource preact */
import { FollowingPage } from "../following.tsx";
import { mount } from "../shell.tsx";

mount(FollowingPage);
