import { Problem } from "@mindhit/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { chooseLanguage, startLanguages } from "../../i18n/languages";
import { click } from "../../testing";
import { Field } from "./field";
import { Form } from "./form";

beforeAll(() => {
  startLanguages();
  chooseLanguage("en");
});
function refusedFor(...pointers: readonly string[]): void {
  const errors = pointers.map((pointer) => ({ pointer, detail: "", kind: "string_too_long" }));
  const refuse = () =>
    Promise.reject(
      new Problem({ type: "urn:mindhit:problem:invalid", title: "Unprocessable", status: 422, errors }),
    );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form submit="Send" send={refuse}>
        <Field name="title" label="Title" />
      </Form>
    </QueryClientProvider>,
  );
}

test("what is wrong with a field of the form stands at the field, and only there", async () => {
  refusedFor("/title");
  await click("Send");
  expect(await screen.findByText("This is too long.")).toBeDefined();
  expect(screen.getByLabelText("Title").getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("what is wrong with anything else stands below, whatever is wrong with a field", async () => {
  refusedFor("/title", "/timezone");
  await click("Send");
  expect((await screen.findByRole("alert")).textContent).toContain("This is too long.");
  expect(screen.getByLabelText("Title").getAttribute("aria-invalid")).toBe("true");
});
