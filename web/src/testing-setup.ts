/** Before the tests of every file. Files share their modules (`isolate: false`), so each cleans up behind itself. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
