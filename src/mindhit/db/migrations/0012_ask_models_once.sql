-- why:   nothing of a person's key is kept in the clear, not even its last characters; and a question
--        that is being asked is written down, so that nobody pays for the same one beside it
-- locks: provider_keys and model_answers, exclusively; both are small
-- takes: milliseconds
-- when:  before the code; a server of the version before can no longer store or show a key

alter table provider_keys drop column hint;

alter table model_answers alter column answer drop not null;
-- Until when somebody waits for the model; null once there is an answer.
alter table model_answers add column asked_until timestamptz;
alter table model_answers add constraint model_answers_asked check ((answer is null) = (asked_until is not null));
