/** Moving pages and folders, by drag and drop or by the dialog: what is being dragged, and what came of it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useMemo, useState, type DragEvent, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Notice } from "../ui/notice";
import { changeFolder, changePage, changePages, foldersQuery, libraryKey } from "./api";
import { mayMove, pathOf } from "./tree";

export type Dragged =
  | { readonly kind: "pages"; readonly ids: readonly string[] }
  | { readonly kind: "folder"; readonly id: string };

/** `position`: between neighbours in that folder; without one, at its end. */
export interface Move {
  readonly what: Dragged;
  readonly to: string | null;
  readonly position?: number;
}

interface Moving {
  readonly dragged: Dragged | null;
  readonly drag: (what: Dragged | null) => void;
  readonly move: (move: Move) => void;
  readonly mayDrop: (what: Dragged, to: string | null) => boolean;
}

const MovingContext = createContext<Moving | null>(null);

export function useMoving(): Moving {
  const moving = use(MovingContext);
  if (moving === null) throw new Error("useMoving is for what stands in MovingProvider");
  return moving;
}

export function MovingProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: folders } = useQuery(foldersQuery);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [said, setSaid] = useState("");
  const { run, failure } = useAction(send, {
    done: (_, { what, to, position }) => {
      const folder = pathOf(folders ?? [], to).at(-1)?.name ?? t("library.folder.top");
      const name = what.kind === "folder" ? pathOf(folders ?? [], what.id).at(-1)?.name : undefined;
      if (position === undefined)
        setSaid(
          what.kind === "pages"
            ? t("library.selection.moved", { count: what.ids.length, folder })
            : t("library.selection.movedFolder", { name: name ?? "", folder }),
        );
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  const moving = useMemo<Moving>(
    () => ({
      dragged,
      drag: setDragged,
      move: (move) => {
        setSaid("");
        run(move);
      },
      mayDrop: (what, to) => what.kind === "pages" || mayMove(folders ?? [], what.id, to),
    }),
    [dragged, folders, run],
  );
  return (
    <MovingContext value={moving}>
      <FailureNotice failure={failure} />
      {said !== "" && <Notice tone="good">{said}</Notice>}
      {children}
    </MovingContext>
  );
}

async function send({ what, to, position }: Move): Promise<void> {
  const place = position === undefined ? {} : { position };
  const [only] = what.kind === "pages" ? what.ids : [];
  if (what.kind === "folder") await changeFolder(what.id, { parent_id: to, ...place });
  else if (position !== undefined && only !== undefined) await changePage(only, { folder_id: to, ...place });
  else await changePages(what.ids, { folder_id: to });
}

/** For what pages and folders can be dropped on: a folder of the tree, or the top. */
export function useDropTarget(to: string | null) {
  const { dragged, drag, move, mayDrop } = useMoving();
  const [isOver, setOver] = useState(false);
  const fits = dragged !== null && mayDrop(dragged, to);
  return {
    isOver: isOver && fits,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!fits) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => {
        setOver(false);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        drag(null);
        if (dragged !== null && fits) move({ what: dragged, to });
      },
    },
  };
}

/** For what can be dragged. Firefox drags nothing without data. */
export function dragHandlers(what: Dragged, name: string, drag: (what: Dragged | null) => void) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData("text/plain", name);
      event.dataTransfer.effectAllowed = "move";
      drag(what);
    },
    onDragEnd: () => {
      drag(null);
    },
  };
}
