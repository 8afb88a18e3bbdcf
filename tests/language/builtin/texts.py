"""Texts of our own, for the tests of the engine."""

from __future__ import annotations

from mindhit.language.model import Document

BEES = Document(
    title="City bees thrive on balconies",
    text=(
        "City bees make more honey than bees in the country, a survey of 400 beekeepers found. "
        "Balcony gardens and parks flower from March to October, so city bees find nectar for eight months. "
        "The weather was fine last week. "
        "In the country, fields of one crop flower for three weeks and leave bees without nectar afterwards. "
        "Beekeepers on balconies and roofs report 20 kilograms of honey per hive, twice the country's average. "
        "Some of them also keep chickens. "
        "Honey from the city contains no more lead than honey from the country, the survey says."
    ),
)

TERMS = Document(
    title="Sparse matrix factorisation for recommender systems",
    text=(
        "This paper describes sparse matrix factorisation for recommender systems. Matrix factorisation maps users "
        "and items to latent factors. Sparse matrix factorisation keeps most latent factors at zero, which makes "
        "recommender systems easier to explain. Experiments with implicit feedback show that stochastic gradient "
        "descent converges on sparse latent factors, and that the ranking quality stays within one per cent."
    ),
)

STORY = Document(
    title="Anna Berg wins in Oslo",
    text=(
        "Anna Berg won the marathon in Oslo on Sunday. She told reporters that she had trained with her sister for a year. "
        "Her coach, Erik Lund, said he cried when she crossed the line. Anna Berg lives in Bergen, where she "
        "works as a nurse. Erik Lund hopes that she will run the marathon in Paris. Her sister finished the marathon after her."
    ),
)

KOREAN = Document(
    title="도시 양봉, 시골보다 꿀이 많다",
    text=(
        "도시에서 기르는 꿀벌이 시골 꿀벌보다 꿀을 더 많이 모은다는 조사 결과가 나왔다. "
        "조사에 참여한 양봉가 400명은 도시 공원과 발코니에 꽃이 여덟 달 동안 핀다고 설명했다. "
        "지난주에는 날씨가 맑았다. "
        "시골에서는 한 가지 작물만 심은 밭이 많아 꽃이 지면 꿀벌이 먹을 꿀이 부족하다. "
        "도시 양봉가는 벌통 하나에서 꿀을 평균 20킬로그램 얻는데 시골 평균의 두 배다. "
        "몇몇은 닭도 기른다. "
        "도시 꿀벌의 꿀에서 납이 더 많이 나오지도 않았다고 조사팀은 밝혔다."
    ),
)


def session() -> list[Document]:
    """Twelve pages about three things, mixed."""
    bread = "Sourdough bread needs a starter of flour and water. The dough rests overnight, and the oven bakes the bread with steam."
    bikes = "A touring bicycle has wide tyres and racks. The gears of the bicycle matter on hills, and the brakes matter on descents."
    stars = "The telescope shows planets and galaxies. Astronomers point the telescope at a galaxy and measure the light of its stars."
    pages = []
    for number, extra in enumerate(("first", "second", "third", "fourth")):
        pages += [
            Document(
                f"{bread} This is the {extra} recipe for sourdough bread.",
                f"Sourdough bread {number}",
            ),
            Document(
                f"{bikes} This is the {extra} test of a touring bicycle.",
                f"Touring bicycle {number}",
            ),
            Document(
                f"{stars} This is the {extra} night with the telescope.",
                f"Telescope night {number}",
            ),
        ]
    return pages
