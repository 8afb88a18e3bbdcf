"""The packages' side of bench/language.py, run by the Python of their own environment.

Rows come as JSON on stdin, what each package says of them goes to stdout. It imports nothing of ours.
"""

import json
import re
import sys
from importlib import import_module
from typing import Any


def rake(texts: list[str]) -> list[list[str]]:
    package = import_module("rake_nltk")
    words = import_module("sklearn.feature_extraction.text").ENGLISH_STOP_WORDS
    made = package.Rake(
        stopwords=set(words),
        max_length=4,
        word_tokenizer=re.compile(r"\w+(?:-\w+)*|[^\w\s]").findall,
        sentence_tokenizer=re.compile(r"[^.!?\n]+").findall,
    )
    found = []
    for text in texts:
        made.extract_keywords_from_text(text)
        found.append(list(dict.fromkeys(made.get_ranked_phrases()))[:10])
    return found


def yake(texts: list[str]) -> list[list[str]]:
    made = import_module("yake").KeywordExtractor(lan="en", n=3, top=10)
    return [[keyword for keyword, _ in made.extract_keywords(text)] for text in texts]


def tf_idf(texts: list[str]) -> list[list[str]]:
    """The ten words that weigh most; their rarity is that of this sample."""
    sklearn = import_module("sklearn.feature_extraction.text")
    made = sklearn.TfidfVectorizer(stop_words="english", token_pattern=r"[A-Za-z][\w-]{2,}")
    weights = made.fit_transform(texts)
    names = made.get_feature_names_out()
    found = []
    for row in range(len(texts)):
        line = weights[row].toarray()[0]
        found.append([str(names[place]) for place in line.argsort()[::-1][:10] if line[place] > 0])
    return found


def k_means(sessions: list[list[dict[str, Any]]]) -> list[list[int]]:
    """K-means on TF-IDF, ten starts, given the number of topics."""
    sklearn = import_module("sklearn.feature_extraction.text")
    cluster = import_module("sklearn.cluster")
    found = []
    for rows in sessions:
        texts = [f"{row['title']}\n{row['text']}" for row in rows]
        weights = sklearn.TfidfVectorizer(stop_words="english", sublinear_tf=True).fit_transform(
            texts
        )
        count = len({row["label"] for row in rows})
        made = cluster.KMeans(count, n_init=10, random_state=0).fit_predict(weights)
        found.append([int(number) for number in made])
    return found


def main() -> None:
    rows = json.load(sys.stdin)
    if sys.argv[1] == "topics":
        print(json.dumps({"kmeans": k_means(rows)}))
        return
    texts = [row["text"] for row in rows]
    print(json.dumps({"rake": rake(texts), "yake": yake(texts), "tfidf": tf_idf(texts)}))


if __name__ == "__main__":
    main()
