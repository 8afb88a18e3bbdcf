import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8787";

/** A gzipped copy of each script and stylesheet, which the server sends as it is. */
function gzipped(): Plugin {
  return {
    name: "gzipped",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(js|css)$/.test(fileName)) continue;
          const source = gzipSync(file.type === "chunk" ? file.code : file.source, { level: 9 });
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source });
        }
      },
    },
  };
}

/** The media queries of tokens.css by name: `@media (--phone)`. Browsers don't know custom media yet. */
function namedMedia() {
  const tokens = readFileSync(new URL("src/ui/styles/tokens.css", import.meta.url), "utf8");
  const queries = new Map(
    [...tokens.matchAll(/@custom-media (--[\w-]+) ([^;]+);/g)].map(([, name = "", query = ""]) => [
      name,
      query,
    ]),
  );
  return {
    postcssPlugin: "named-media",
    AtRule: {
      "custom-media": (rule: { remove: () => unknown }) => {
        rule.remove();
      },
      media: (rule: { params: string }) => {
        const named = rule.params.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
          const query = queries.get(name);
          if (query === undefined) throw new Error(`tokens.css has no @custom-media ${name}`);
          return query;
        });
        if (named !== rule.params) rule.params = named;
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), gzipped()],
  css: { postcss: { plugins: [namedMedia()] } },
  build: {
    outDir: "../src/mindhit/api/static",
    emptyOutDir: true,
    // Separate files, because the server's Content-Security-Policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the bundled packages have to be shipped with them.
    license: { fileName: "licenses.md" },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": server, "/readyz": server, "/openapi.json": server },
  },
  test: {
    environment: "jsdom",
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 20_000,
    css: { include: [/tokens\.css/, /\.css\?raw/] }, // tokens.ts and structure.test.ts read them
  },
});
