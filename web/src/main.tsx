import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { startLanguages } from "./i18n/languages";
import { startTheme } from "./app/theme";
import { startWorker } from "./app/worker";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

startTheme();
startLanguages();
startWorker();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
