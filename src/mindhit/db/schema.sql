-- What the migrations add up to. Made by `make openapi`; not for editing.

CREATE TABLE public.job_schedules (
    name text NOT NULL,
    next_run_at timestamp with time zone NOT NULL,
    last_run_at timestamp with time zone,
    last_job_id bigint
);

COMMENT ON TABLE public.job_schedules IS 'work: when each recurring job is due next';

CREATE TABLE public.job_slots (
    domain text NOT NULL,
    slot smallint NOT NULL,
    job_id bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

COMMENT ON TABLE public.job_slots IS 'work: which of a domain''s places are taken; a row lives as long as its job runs';

CREATE TABLE public.jobs (
    id bigint NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    key text,
    lane text NOT NULL,
    domain text,
    args jsonb NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    again boolean DEFAULT false NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer NOT NULL,
    rescues integer DEFAULT 0 NOT NULL,
    run_after timestamp with time zone DEFAULT now() NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    lease_id uuid,
    lease_until timestamp with time zone,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT jobs_again CHECK (((NOT again) OR (status = 'running'::text))),
    CONSTRAINT jobs_attempts CHECK ((((attempts >= 0) AND (attempts <= max_attempts)) AND (rescues >= 0))),
    CONSTRAINT jobs_finished CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['succeeded'::text, 'dead'::text, 'canceled'::text])))),
    CONSTRAINT jobs_lane CHECK ((lane = ANY (ARRAY['critical'::text, 'default'::text, 'low'::text]))),
    CONSTRAINT jobs_lease CHECK ((num_nonnulls(locked_at, locked_by, lease_id, lease_until) =
CASE
    WHEN (status = 'running'::text) THEN 4
    ELSE 0
END)),
    CONSTRAINT jobs_names CHECK (((queue <> ''::text) AND (kind <> ''::text) AND (key <> ''::text) AND (domain <> ''::text))),
    CONSTRAINT jobs_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'dead'::text, 'canceled'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.05');

COMMENT ON TABLE public.jobs IS 'work: one row for every durable step, waiting, running or done';

ALTER TABLE public.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    took_ms integer NOT NULL
);

COMMENT ON TABLE public.schema_migrations IS 'db: which migrations were applied, with their checksums';

ALTER TABLE ONLY public.job_schedules
    ADD CONSTRAINT job_schedules_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.job_slots
    ADD CONSTRAINT job_slots_pkey PRIMARY KEY (domain, slot);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

CREATE INDEX job_slots_job ON public.job_slots USING btree (job_id);

CREATE INDEX jobs_dead ON public.jobs USING btree (id) WHERE (status = 'dead'::text);

CREATE UNIQUE INDEX jobs_once ON public.jobs USING btree (kind, key) WHERE ((key IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));

CREATE INDEX jobs_ready ON public.jobs USING btree (queue, lane, run_after, id) WHERE ((status = 'queued'::text) AND (domain IS NULL));

CREATE INDEX jobs_ready_by_domain ON public.jobs USING btree (queue, lane, domain, run_after, id) WHERE ((status = 'queued'::text) AND (domain IS NOT NULL));

CREATE INDEX jobs_running ON public.jobs USING btree (id) WHERE (status = 'running'::text);
