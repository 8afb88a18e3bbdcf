"""A font for Korean in pictures: many machines have none."""

import os
from pathlib import Path
from xml.sax.saxutils import escape

from mindhit.insight.mindmap import drawing


def add_korean_font(folder: Path) -> None:
    """Browsers started from here find the font of the maps too."""
    fonts = Path(drawing.__file__).parent / "fonts"
    config = folder / "fonts.conf"
    config.write_text(
        f'<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>'
        f"<dir>{escape(str(fonts))}</dir></fontconfig>"
    )
    os.environ["FONTCONFIG_FILE"] = str(config)
