import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { restoreMocks: true, unstubGlobals: true, testTimeout: 30_000 },
});
