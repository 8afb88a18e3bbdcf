from mindhit.cli import main

main()
