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

/**
 * The files of a session's screen, for public/prefetch.js: a session is opened from links in mails, reports and the
 * extension, and would else ask for them only after the first script has run.
 */
function earlyFiles(): Plugin {
  return {
    name: "early-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const first = chunks.find(({ isEntry }) => isEntry);
        const screen = chunks.find(({ moduleIds }) =>
          moduleIds.some((id) => id.endsWith("/session-screen.tsx")),
        );
        if (first === undefined || screen === undefined)
          throw new Error("a session has no screen of its own");
        const scripts = new Set([screen.fileName, ...screen.imports]);
        for (const script of scripts)
          for (const inner of chunks.find(({ fileName }) => fileName === script)?.imports ?? [])
            scripts.add(inner);
        for (const known of [first.fileName, ...first.imports]) scripts.delete(known);
        const styles = chunks
          .filter(({ fileName }) => scripts.has(fileName))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
        const files = [...scripts, ...new Set(styles)].map((file) => `/${file}`);
        return html.replace('src="/prefetch.js"', (script) => `${script} data-session="${files.join(" ")}"`);
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
  plugins: [react(), gzipped(), earlyFiles()],
  css: { postcss: { plugins: [namedMedia()] } },
  build: {
    outDir: "../src/mindhit/api/static",
    emptyOutDir: true,
    // Separate files, because the server's Content-Security-Policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the bundled packages have to be shipped with them.
    license: { fileName: "licenses.md" },
    // A screen was up to 22 files, most of them of some hundred bytes, and each is a request.
    rollupOptions: { output: { experimentalMinChunkSize: 12_000 } },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": server, "/readyz": server, "/openapi.json": server },
  },
  test: {
    environment: "jsdom",
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 90_000, // the longest take 6 s on a quiet machine, and several times that on a busy one
    maxWorkers: "100%", // one processor less would be one of two
    css: { include: [/tokens\.css/, /\.css\?raw/] }, // tokens.ts and structure.test.ts read them
  },
});
