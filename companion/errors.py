"""Failures that reach people, for every part of the companion: one sentence that says what to do, never a traceback."""


class CompanionError(Exception):
    """Something a person must know. `str(error)` is the sentence that is shown; `code` is stable, for pages and
    tests."""

    code = "failed"


class StorageError(CompanionError):
    """The data could not be written or read; nothing of what was asked has happened."""

    code = "storage"


class NewerDataError(StorageError):
    """The data was written by a newer Cabstand than this one."""

    code = "newer_data"


class TamperedLogError(StorageError):
    """The hash chain of an evening does not hold. `table_id` and `seq` say where it breaks."""

    code = "tampered"

    def __init__(self, message: str, table_id: str = "", seq: int = 0) -> None:
        super().__init__(message)
        self.table_id = table_id
        self.seq = seq


class UnreadableEveningError(StorageError):
    """An evening whose chain holds, of a game that is not installed here or with entries that no game makes."""

    code = "unreadable"


class SetupError(CompanionError):
    """An evening that cannot be set up this way. `field` names what to change (`seats[1].colour`)."""

    code = "setup"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class UnknownEveningError(CompanionError):
    """No evening has this id."""

    code = "unknown_evening"


class ConflictError(StorageError):
    """Somebody else wrote to the same evening at the same moment."""

    code = "conflict"
