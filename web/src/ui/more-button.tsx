import { useTranslation } from "../i18n/translation";
import { Button } from "./button";

interface Props {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Below a list that is loaded page by page; nothing where all of it is there. */
export function MoreButton({ list }: Props) {
  const { t } = useTranslation();
  if (!list.hasNextPage) return null;
  return (
    <p>
      <Button
        isBusy={list.isFetchingNextPage}
        onClick={() => {
          void list.fetchNextPage();
        }}
      >
        {t("ui.showMore")}
      </Button>
    </p>
  );
}
