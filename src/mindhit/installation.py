"""What belongs to the installation as a whole: the key that encrypts and signs (`sealing`)."""

from __future__ import annotations

from mindhit.errors import Broken
from mindhit.sealing import KeyUnusable, Sealer, sealer_of
from mindhit.settings import Settings


class InstallationKeyUnusable(Broken):
    """The installation's key can't be used."""


def installation_sealer(settings: Settings) -> Sealer:
    secret = settings.secret_key.get_secret_value() if settings.secret_key else None
    try:
        return sealer_of(secret, settings.data_dir)
    except KeyUnusable as error:
        raise InstallationKeyUnusable(str(error)) from error
