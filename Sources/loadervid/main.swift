import LoaderVideoCommand

LoaderVideoCommand.main(name: "loadervid")
